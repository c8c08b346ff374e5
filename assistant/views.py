"""The chat page. With JavaScript its form goes through the socket; without, it is posted here and read back.

A post runs its turn to the end, stores it and redirects: loading the page again asks nothing twice.
"""

import logging
import uuid
from contextlib import aclosing
from http import HTTPStatus

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
from assistant.events import Notice
from assistant.page import known, status_of
from assistant.question import MAX_CHARACTERS
from assistant.suggestions import AT_THE_START, suggested
from assistant.visitors import of_request
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
        fields = {**request.POST.dict(), "lang": known(language)}
        if pressed := fields.get("suggested"):
            fields["question"] = pressed  # a question that the page offers, and not what stands in the form
        try:
            question = await admit(fields, await of_request(request), "form")
            async with aclosing(ask(question)) as events:
                async for _event in events:
                    pass  # stored as it happens; the page shows what is stored
        except Declined as error:
            refused = error
        except DatabaseError:
            logger.exception("No database: a question was turned away.")
            refused = declined("unavailable", language)
        else:
            return HttpResponseRedirect(f"{reverse('assistant:chat', args=[language])}#turn-{question.id}")
        return await in_database(_page, request, language, refused, str(fields.get("question", "")))


def _page(request: HttpRequest, language: str, refused: Declined | None = None, typed: str = "") -> HttpResponse:
    new = "new" in request.GET or (refused is not None and refused.problem is Problem.CONVERSATION)
    conversation = None if new else presentation.of_session(session_hash(request.session.session_key or ""))
    texts.refresh()
    turns = conversation.turns.order_by("-ordinal")[:SHOWN_TURNS] if conversation else ()
    notice: Notice | None = refused.notice if refused else None
    with override(language):
        response = render(
            request,
            "chat/page.html",
            {
                "language": language,
                "turns": presentation.shown(reversed(turns), Viewer.of(request.user)),
                "conversation": sign(conversation) if conversation else "",
                "next_turn": uuid.uuid4(),
                "typed": typed or request.GET.get("q", "")[:MAX_CHARACTERS],
                "suggestions": () if turns else suggested(language, AT_THE_START),
                "notice": notice,
                "max_characters": MAX_CHARACTERS,
            },
            status=status_of(notice) if notice else HTTPStatus.OK,
        )
    add_never_cache_headers(response)
    if refused and refused.retry_after:
        response["Retry-After"] = str(refused.retry_after)
    return response
