"""Which sites may show the widget in a frame: this one and those that the owner enabled, read at each request.

A page in a frame on another site is sent no cookie of ours, so no post from there can prove by one where it comes
from. The Origin header does, which no page can forge.
"""

from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from http import HTTPStatus
from typing import Any, cast

from csp.constants import HEADER, SELF
from csp.utils import build_policy
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csrf import csrf_exempt

from assistant.database import in_database
from assistant.origin import is_own
from assistant.widget_models import WidgetOrigin


def origins() -> list[str]:
    """Return the sites that may show the widget beside this one."""
    return list(WidgetOrigin.objects.filter(enabled=True).values_list("origin", flat=True))


def in_a_frame(
    view: Callable[..., HttpResponseBase],
) -> Callable[..., Coroutine[Any, Any, HttpResponseBase]]:
    """Let an async view's pages be framed by those sites and no other, and take posts from pages of this site alone.

    Only for views that heed no cookie: the Origin header stands in for the token against forged forms.
    """

    @csrf_exempt
    @xframe_options_exempt  # that header knows no list of sites
    @wraps(view)
    async def framed(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if request.method == "POST" and not is_own(request.headers.get("Origin"), request.get_host()):
            return HttpResponse(
                _("That could not be read. Please load the page again and send the question once more."),
                status=HTTPStatus.FORBIDDEN,
                content_type="text/plain; charset=utf-8",
            )
        # `as_view` has one type for views of both kinds.
        response = await cast(Awaitable[HttpResponseBase], view(request, *args, **kwargs))
        response[HEADER] = build_policy(replace={"frame-ancestors": [SELF, *await in_database(origins)]})
        return response

    return framed
