"""The chat in a frame on another site of the owner's: the same layers and limits, without a cookie.

Browsers send a frame on another site no session cookie. So none is heeded, even where one comes along: what a reader
wrote opens by the conversation's signed id, which the page's forms carry, and shows what the public may see.
"""

import re
import uuid
from collections.abc import Mapping
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import add_never_cache_headers, patch_vary_headers
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views import View
from django.views.decorators.http import require_safe

from assistant import framing, journal, own_data
from assistant.addresses import of_request
from assistant.asking import LANGUAGES, Declined, Problem
from assistant.conversations import open_signed
from assistant.database import in_database
from assistant.feedback import FeedbackView
from assistant.models import Conversation, Turn
from assistant.origin import is_own
from assistant.page import known
from assistant.presentation import direction
from assistant.privacy import downloaded
from assistant.question import Question
from assistant.views import asked, context, fields_of, finished
from assistant.visitors import Visitor, without_session
from records.access import PUBLIC


@require_safe
async def button(request: HttpRequest) -> HttpResponse:
    """`/api/widget?lang=fa-IR`: what static/widget.js puts on a page, which only a page that may frame it can read."""
    origin = request.headers.get("Origin")
    allowed = origin is None or is_own(origin, request.get_host()) or origin in await in_database(framing.origins)
    language = _nearest(request.GET.get("lang", ""))
    with override(language):
        response = JsonResponse(
            {
                "language": language,
                "direction": direction(language),
                "page": reverse("assistant:widget", args=[language]),
                "label": _("Ask about the work"),
                "close": _("Close"),
            },
            status=HTTPStatus.OK if allowed else HTTPStatus.FORBIDDEN,
        )
    if allowed and origin:
        response["Access-Control-Allow-Origin"] = origin
    patch_vary_headers(response, ["Origin"])
    add_never_cache_headers(response)
    return response


def _nearest(wanted: str) -> str:
    """Return the language of a page's `lang`, or the one that the browser asks for where the site does not speak it."""
    language = re.split("[-_]", wanted.lower())[0]
    return language if language in LANGUAGES else get_language() or settings.LANGUAGE_CODE


class WidgetView(View):
    """`/{lang}/chat/widget/`: an empty conversation; a post shows the one that it carries, and asks where it asks."""

    async def get(self, request: HttpRequest, language: str) -> HttpResponseBase:
        """Show the page."""
        return await in_database(_page, known(language), None)

    async def post(self, request: HttpRequest, language: str) -> HttpResponseBase:
        """Show the conversation, after the question if there is one. The same post again asks nothing twice."""
        fields = fields_of(request, known(language))
        conversation = await in_database(_conversation, request)
        try:
            if fields["question"]:
                question = await asked(fields, without_session(of_request(request)), "widget")
                conversation = await in_database(_conversation_of, question)
        except Declined as error:
            shown = None if error.problem is Problem.CONVERSATION else conversation
            return await in_database(_page, language, shown, error, str(fields["question"]))
        return await in_database(_page, language, conversation)


class WidgetFeedbackView(FeedbackView):
    """`POST /{lang}/chat/widget/feedback/`: as on the chat page, with the signed conversation besides."""

    async def visitor(self, request: HttpRequest) -> Visitor:
        """Return who speaks."""
        return without_session(of_request(request))

    def turn(self, request: HttpRequest, turn_id: uuid.UUID) -> Turn | None:
        """Return the turn if it belongs to the conversation."""
        conversation = _conversation(request)
        return conversation.turns.filter(pk=turn_id).first() if conversation else None

    def thanked(self, request: HttpRequest, language: str, turn_id: uuid.UUID) -> HttpResponse:
        """Say so, on a page that leads back."""
        with override(language):
            return self.told(request, language, _("Thank you. The owner of this site can read it."))

    def told(self, request: HttpRequest, language: str, text: str) -> HttpResponse:
        """Return a page that says it and leads back."""
        return _message(language, text, request.POST.get("conversation", ""))


class WidgetOwnDataView(View):
    """`POST /{lang}/chat/widget/own/`: hands out (`do=download`) or deletes (`do=delete`) the conversation."""

    async def post(self, request: HttpRequest, language: str) -> HttpResponse:
        """Do what was asked."""
        return await in_database(_do, request, known(language))


def _do(request: HttpRequest, language: str) -> HttpResponse:
    conversation = _conversation(request)
    with override(language):
        if conversation is None:
            response = _message(language, _("That conversation is not kept here any more."))
            response.status_code = HTTPStatus.NOT_FOUND
            return response
        if request.POST.get("do") == "delete":
            own_data.erase(conversation)
            return _message(language, _("The conversation was deleted."))
    return downloaded(conversation, PUBLIC)


def _conversation(request: HttpRequest) -> Conversation | None:
    return open_signed(request.POST.get("conversation", ""), session="")


def _conversation_of(question: Question) -> Conversation | None:
    turn = journal.find(question.id, question.session)
    return turn.conversation if turn else None


def _page(
    language: str, conversation: Conversation | None, refused: Declined | None = None, typed: str = ""
) -> HttpResponse:
    shown = {**context(language, conversation, PUBLIC, refused), "typed": typed, "widget": True}
    return finished(_rendered("page", language, shown), refused)


def _message(language: str, text: str, conversation: str = "") -> HttpResponse:
    shown = {"language": language, "text": text, "conversation": conversation}
    return finished(_rendered("message", language, shown), None)


def _rendered(name: str, language: str, shown: Mapping[str, object]) -> HttpResponse:
    """Render without the request: a token against forged forms would begin a session and set its cookie."""
    with override(language):
        return HttpResponse(render_to_string(f"widget/{name}.html", dict(shown)))
