"""In which language a page speaks: the one its address names, else the one the browser asks for.

Error pages, and pages whose address has no language (a cited passage, `?lang=fa`), follow the same rule.
"""

from django.conf import settings
from django.http import HttpRequest
from django.middleware.locale import LocaleMiddleware
from django.urls import reverse
from django.utils import translation

CODES = frozenset(code for code, _name in settings.LANGUAGES)
OF_DJANGO = {"zh": "zh-hans"}  # where Django's own catalogues, which are the admin's, have another code


class PageLanguage(LocaleMiddleware):
    """Takes the place of Django's own middleware, which it leaves the choice where the address makes none."""

    def process_request(self, request: HttpRequest) -> None:
        """Activate the page's language for this request."""
        super().process_request(request)
        named = _named(request)
        if named:
            translation.activate(named)
        elif request.path.startswith(reverse("admin:index")):
            language = translation.get_language() or settings.LANGUAGE_CODE
            translation.activate(OF_DJANGO.get(language, language))
        request.LANGUAGE_CODE = translation.get_language() or settings.LANGUAGE_CODE


def _named(request: HttpRequest) -> str | None:
    wanted = request.path.lstrip("/").partition("/")[0], request.GET.get("lang")
    return next((code for code in wanted if code in CODES), None)
