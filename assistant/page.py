"""What the pages around the chat share: the language in their address, the status; and the one that is but text."""

from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import override
from django.views.decorators.http import require_safe

from assistant.asking import LANGUAGES
from assistant.events import Notice

_STATUS = {"invalid": HTTPStatus.BAD_REQUEST, "rate_limited": HTTPStatus.TOO_MANY_REQUESTS}


def known(language: str) -> str:
    """Return a language of the site as it is; any other is an address that does not exist."""
    if language not in LANGUAGES:
        raise Http404
    return language


def status_of(notice: Notice) -> HTTPStatus:
    """Return the status of a page that says why a question was not asked."""
    return _STATUS.get(notice.reason, HTTPStatus.SERVICE_UNAVAILABLE)


@require_safe
def accessibility(request: HttpRequest, language: str) -> HttpResponse:
    """`/{lang}/accessibility/`: what was done so that everybody can use the site, and what was not."""
    with override(known(language)):
        return render(request, "chat/accessibility.html", {"language": language})
