"""A reader's way in and out: whom the owner gave a login reads what is restricted to a group of his.

The admin lets in staff alone, who read everything; these pages let in anybody with a login. Wrong passwords are counted
as they are there.
"""

from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, LogoutView
from django.urls import reverse
from django.utils.translation import gettext_lazy as _


class SignInForm(AuthenticationForm):
    """Name and password. The words are ours: Django has none in some of the site's languages."""

    error_messages = {
        "invalid_login": _("No login has this name and this password. Capital letters count."),
        "inactive": _("No login has this name and this password. Capital letters count."),
    }

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["username"].label, self.fields["password"].label = _("User name"), _("Password")
        for field in self.fields.values():
            field.widget.attrs["dir"] = "ltr"


class SignIn(LoginView):
    """`/{lang}/sign-in/?next=`: leads back to where somebody came from, else home."""

    template_name = "records/sign_in.html"
    authentication_form = SignInForm

    def get_default_redirect_url(self) -> str:
        return reverse("records:home", args=[self.kwargs["language"]])

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        return super().get_context_data(language=self.kwargs["language"], **context)


class SignOut(LogoutView):
    """`/{lang}/sign-out/`, by POST: leads home."""

    def get_default_redirect_url(self) -> str:
        return reverse("records:home", args=[self.kwargs["language"]])
