"""`/{lang}/how-it-works/`: one question, what each layer saw and decided, and beside it the model without sources.

The answer to the form is one page that is sent piece by piece, so that it needs no JavaScript. Nothing is stored of
the question but what it cost. The model without sources is asked last, and only what
found sources here and could be paid for.
"""

import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

from django.conf import settings
from django.db import Error as DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.template.loader import render_to_string
from django.utils.cache import add_never_cache_headers
from django.utils.translation import override
from django.views import View

from assistant import floors, texts
from assistant.asking import Declined, admit, declined
from assistant.database import in_database
from assistant.events import Done, Event, Notice, Refusal
from assistant.layers import Reserved, Sourced, Step, Tried
from assistant.page import known, status_of
from assistant.question import MAX_CHARACTERS, Question
from assistant.suggestions import AT_THE_START, suggested
from assistant.unsourced_call import Tally
from assistant.visitors import of_request
from assistant.watching import watched
from assistant.without_sources import NotAsked, Spoken, without_sources

logger = logging.getLogger(__name__)

# Where the page is cut in pieces; a text of a reader is escaped and cannot hold them.
_HERE = "<!-- the layers -->"
_BESIDE = "<!-- without sources -->"
_TEMPLATES = {
    Tried: "tried",
    Sourced: "sourced",
    Reserved: "reserved",
    Refusal: "ended",
    Notice: "ended",
    Done: "done",
    Spoken: "spoken",
    Tally: "tally",
    NotAsked: "not_asked",
}


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
    before, _, rest = page.partition(_HERE)
    between, beside, after = rest.partition(_BESIDE)
    yield before
    was_asked = False
    async with aclosing(watched(question)) as steps:
        async for step in steps:
            was_asked = isinstance(step, Reserved) or (was_asked and not _failed(step))
            yield _shown(step, question.language)
    yield between
    if beside:
        async with aclosing(without_sources(question) if was_asked else _not_asked()) as told:
            async for each in told:
                yield _shown(each, question.language)
    yield after


def _failed(step: Step | Event) -> bool:
    """Whether this end leaves nothing to ask the model for once more."""
    return isinstance(step, Notice) and step.reason in ("unavailable", "stopped")


async def _not_asked() -> AsyncGenerator[NotAsked, None]:
    yield NotAsked()


def _shown(step: Step | Event | Spoken | Tally | NotAsked, language: str) -> str:
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
        "beside": "" if settings.TRAVA.LLM_PROVIDER == "quoting" else _BESIDE,
        "floor_state": floors.state() if asked else "",
        "suggestions": () if asked else suggested(language, AT_THE_START),
    }
    with override(language):
        return render_to_string("chat/how_it_works.html", context, request)
