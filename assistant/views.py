"""The chat page. With JavaScript its form goes through the socket; without, it is posted here and read back.

A post runs its turn to the end, stores it and redirects: loading the page again asks nothing twice.
"""

import logging
import uuid
from collections.abc import Mapping
from contextlib import aclosing

from django.db import Error as DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.utils.translation import override
from django.views import View

from assistant import presentation, texts
from assistant.asking import Declined, Problem, admit, ask, declined
from assistant.conversations import session_hash, sign
from assistant.database import in_database
from assistant.models import Conversation
from assistant.page import known, status_of
from assistant.question import MAX_CHARACTERS, Question
from assistant.suggestions import AT_THE_START, suggested
from assistant.visitors import Visitor, of_request
from records.access import Viewer

logger = logging.getLogger(__name__)

SHOWN_TURNS = 50  # the newest of a long conversation


class ChatView(View):
    """`/{lang}/chat/`: this visitor's conversation and a form; `?new` begins another one."""

    async def get(self, request: HttpRequest, language: str) -> HttpResponseBase:
        """Show the page."""
        return await in_database(_page, request, known(language))

    async def post(self, request: HttpRequest, language: str) -> HttpResponseBase:
        """Ask, and show the page again; what could not be asked stays in the form."""
        fields = fields_of(request, known(language))
        try:
            question = await asked(fields, await of_request(request), "form")
        except Declined as error:
            refused = error
        except DatabaseError:
            logger.exception("No database: a question was turned away.")
            refused = declined("unavailable", language)
        else:
            return HttpResponseRedirect(f"{reverse('assistant:chat', args=[language])}#turn-{question.id}")
        return await in_database(_page, request, language, refused, str(fields["question"]))


def fields_of(request: HttpRequest, language: str) -> dict[str, object]:
    """Return what a form of the chat sent: a question that the page offers, where it was pressed, or the typed one."""
    question = request.POST.get("suggested") or request.POST.get("question", "")
    return {**request.POST.dict(), "lang": language, "question": question}


async def asked(fields: Mapping[str, object], visitor: Visitor, entrance: str) -> Question:
    """Ask, and return once the turn has ended; raises Declined."""
    question = await admit(fields, visitor, entrance)
    async with aclosing(ask(question)) as events:
        async for _event in events:
            pass  # stored as it happens; the page shows what is stored
    return question


def _page(request: HttpRequest, language: str, refused: Declined | None = None, typed: str = "") -> HttpResponse:
    new = "new" in request.GET or (refused is not None and refused.problem is Problem.CONVERSATION)
    conversation = None if new else presentation.of_session(session_hash(request.session.session_key or ""))
    shown = context(language, conversation, Viewer.of(request.user), refused)
    shown["typed"] = typed or request.GET.get("q", "")[:MAX_CHARACTERS]
    with override(language):
        return finished(render(request, "chat/page.html", shown), refused)


def context(
    language: str, conversation: Conversation | None, viewer: Viewer, refused: Declined | None
) -> dict[str, object]:
    """Return what a page of the chat shows of a conversation, and why a question was not asked."""
    texts.refresh()
    turns = conversation.turns.order_by("-ordinal")[:SHOWN_TURNS] if conversation else ()
    return {
        "language": language,
        "turns": presentation.shown(reversed(turns), viewer),
        "conversation": sign(conversation) if conversation else "",
        "next_turn": uuid.uuid4(),
        "suggestions": () if turns else suggested(language, AT_THE_START),
        "notice": refused.notice if refused else None,
    }


def finished(response: HttpResponse, refused: Declined | None) -> HttpResponse:
    """Return a page of the chat with the status that says why a question was not asked; no cache keeps it."""
    add_never_cache_headers(response)
    if refused:
        response.status_code = status_of(refused.notice)
        if refused.retry_after:
            response["Retry-After"] = str(refused.retry_after)
    return response
