"""The reset of a forgotten password of the admin, by mail. Routed only where mail is sent.

Whether an address has an account shows neither in the answer nor in its time: the worker looks, and sends. From one
network and for one address there are five an hour; where they cannot be counted there are none.
"""

from functools import cache
from http import HTTPStatus

from axes.utils import reset as unlock
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.forms import PasswordResetForm, SetPasswordForm
from django.contrib.auth.models import User
from django.contrib.auth.views import (
    PasswordResetCompleteView,
    PasswordResetConfirmView,
    PasswordResetDoneView,
    PasswordResetView,
)
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import path
from django.utils.crypto import salted_hmac
from django.utils.translation import get_language
from kombu.exceptions import OperationalError
from limits import RateLimitItemPerHour
from limits.errors import StorageError
from limits.storage import RedisStorage
from limits.strategies import MovingWindowRateLimiter

from assistant import addresses, tasks

LIMIT = RateLimitItemPerHour(5)
PATIENCE = 0.5  # seconds for Redis to count
_SALT = "assistant.password_reset"


class RequestView(PasswordResetView):
    """Takes an address and has the mail sent."""

    def form_valid(self, form: PasswordResetForm) -> HttpResponse:
        address = form.cleaned_data["email"]
        try:
            if not _counted(addresses.of_request(self.request), address):
                return self._not_now(form, "Too many were asked for. Please try again in an hour.")
            tasks.send_password_reset.delay(address, get_language())
        except (StorageError, OSError, OperationalError):
            return self._not_now(form, "No mail can be sent just now. Please try again later.")
        return HttpResponseRedirect(self.get_success_url())

    def _not_now(self, form: PasswordResetForm, why: str) -> HttpResponse:
        form.add_error("email", why)
        response = self.form_invalid(form)
        response.status_code = HTTPStatus.TOO_MANY_REQUESTS
        return response


class ConfirmView(PasswordResetConfirmView):
    """Sets the new password, and lets somebody in whom too many wrong ones had locked out."""

    def form_valid(self, form: "SetPasswordForm[User]") -> HttpResponse:
        response = super().form_valid(form)
        unlock(username=form.user.get_username())
        return response


def _counted(network: str, address: str) -> bool:
    """Count one request against both limits; whether both had room. The address is counted by a digest of it."""
    digest = salted_hmac(_SALT, address.casefold()).hexdigest()
    return _limiter().hit(LIMIT, _SALT, "from", network) and _limiter().hit(LIMIT, _SALT, "for", digest)


@cache
def _limiter() -> MovingWindowRateLimiter:
    url = settings.TRAVA.REDIS_URL.get_secret_value().replace("unix://", "redis+unix://", 1)
    storage = RedisStorage(url, wrap_exceptions=True, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE)
    return MovingWindowRateLimiter(storage)


_LOOK = {"site_header": admin.site.site_header, "site_title": admin.site.site_title}

urlpatterns = [
    path("password_reset/", RequestView.as_view(extra_context=_LOOK), name="admin_password_reset"),
    path("password_reset/done/", PasswordResetDoneView.as_view(extra_context=_LOOK), name="password_reset_done"),
    path("reset/<uidb64>/<token>/", ConfirmView.as_view(extra_context=_LOOK), name="password_reset_confirm"),
    path("reset/done/", PasswordResetCompleteView.as_view(extra_context=_LOOK), name="password_reset_complete"),
]
