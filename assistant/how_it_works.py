"""`/{lang}/how-it-works/`: one question, and what each layer saw and decided, shown as it happens.

The answer to the form is one page that is sent piece by piece, so that it needs no JavaScript. Nothing is stored of
the question but what it cost.
"""

import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

from django.db import Error as DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.template.loader import render_to_string
from django.utils.cache import add_never_cache_headers
from django.utils.translation import override
from django.views import View

from assistant import texts
from assistant.asking import Declined, admit, declined
from assistant.database import in_database
from assistant.events import Done, Event, Notice, Refusal
from assistant.layers import Reserved, Sourced, Step, Tried
from assistant.page import known, status_of
from assistant.question import MAX_CHARACTERS, Question
from assistant.suggestions import AT_THE_START, suggested
from assistant.visitors import of_request
from assistant.watching import watched

logger = logging.getLogger(__name__)

_HERE = "<!-- the layers -->"  # where the page is cut in two; a text of a reader is escaped and cannot hold it
_TEMPLATES = {Tried: "tried", Sourced: "sourced", Reserved: "reserved", Refusal: "ended", Notice: "ended", Done: "done"}


class HowItWorksView(View):
    """A form, and after a question the layers it went through."""

    async def get(self, request: HttpRequest, language: str) -> HttpResponseBase:
        """Show the form, filled with `?q=`."""
        typed = request.GET.get("q", "")[:MAX_CHARACTERS]
        return HttpResponse(await in_database(_page, request, known(language), typed))

    async def post(self, request: HttpRequest, language: str) -> HttpResponseBase:
        """Ask, and send each step when it is decided."""
        typed = request.POST.get("question", "")
        try:
            fields = {"question": typed, "lang": known(language)}
            question = replace(await admit(fields, await of_request(request), "demo"), stored=False)
        except Declined as error:
            return await _turned_away(request, language, typed, error)
        except DatabaseError:
            logger.exception("No database: a question was turned away.")
            return await _turned_away(request, language, typed, declined("unavailable", language))
        page = await in_database(_page, request, language, typed, question)
        response = StreamingHttpResponse(_streamed(page, question))
        response["X-Accel-Buffering"] = "no"  # a proxy that collects the page would show it at its end
        add_never_cache_headers(response)
        return response


async def _streamed(page: str, question: Question) -> AsyncGenerator[str, None]:
    before, _, after = page.partition(_HERE)
    yield before
    async with aclosing(watched(question)) as steps:
        async for step in steps:
            yield _shown(step, question.language)
    yield after


def _shown(step: Step | Event, language: str) -> str:
    template = _TEMPLATES.get(type(step), "released")
    with override(language):
        return render_to_string(f"chat/layers/{template}.html", {"step": step, "language": language})


async def _turned_away(request: HttpRequest, language: str, typed: str, refused: Declined) -> HttpResponse:
    page = await in_database(_page, request, language, typed, None, refused.notice)
    response = HttpResponse(page, status=status_of(refused.notice))
    if refused.retry_after:
        response["Retry-After"] = str(refused.retry_after)
    return response


def _page(
    request: HttpRequest,
    language: str,
    typed: str,
    asked: Question | None = None,
    notice: Notice | None = None,
) -> str:
    texts.refresh()
    context = {
        "language": language,
        "typed": typed,
        "asked": asked,
        "notice": notice,
        "here": _HERE,
        "suggestions": () if asked else suggested(language, AT_THE_START),
    }
    with override(language):
        return render_to_string("chat/how_it_works.html", context, request)
