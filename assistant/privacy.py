"""`/{lang}/privacy/`: what is kept of visitors, and their own conversations to take along or to delete.

What the note says of times and providers is read from the settings in force, so it cannot fall behind them.
"""

import json
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers
from django.utils.translation import override
from django.views import View

from assistant import framing, own_data
from assistant.conversations import open_signed, session_hash, sign
from assistant.database import in_database
from assistant.models import Conversation
from assistant.page import known
from records.access import Viewer

_HOSTS = {"openai": "api.openai.com", "anthropic": "api.anthropic.com"}  # where no address is set


@dataclass(frozen=True, slots=True)
class Outside:
    """A provider on another server, and its model."""

    host: str
    model: str


def answers_by() -> Outside | None:
    """Return who words the answers; None for nobody outside."""
    return _outside(settings.TRAVA.LLM_PROVIDER, settings.TRAVA.LLM_BASE_URL, settings.TRAVA.LLM_MODEL)


def compared_by() -> Outside | None:
    """Return who compares questions with the published texts; None for nobody outside."""
    return _outside(settings.TRAVA.EMBEDDER, settings.TRAVA.EMBEDDING_BASE_URL, settings.TRAVA.EMBEDDING_MODEL)


def _outside(kind: str, address: str, model: str) -> Outside | None:
    if kind not in _HOSTS:
        return None
    return Outside(urlsplit(address).hostname or _HOSTS[kind], model)


class PrivacyView(View):
    """The note; a post hands out (`do=download`) or deletes (`do=delete`) one conversation of this session."""

    async def get(self, request: HttpRequest, language: str) -> HttpResponseBase:
        """Show the note and this visitor's conversations."""
        return await in_database(_note, request, known(language))

    async def post(self, request: HttpRequest, language: str) -> HttpResponseBase:
        """Do what was asked with the conversation whose signed id was sent."""
        return await in_database(_do, request, known(language))


def _note(request: HttpRequest, language: str, status: HTTPStatus = HTTPStatus.OK) -> HttpResponse:
    conversations = own_data.of_session(session_hash(request.session.session_key or ""))
    with override(language):
        response = render(
            request,
            "chat/privacy.html",
            {
                "language": language,
                "days": settings.TRAVA.RETENTION_DAYS,
                "cookie_days": settings.SESSION_COOKIE_AGE // 86_400,
                "in_frames": framing.origins(),
                "answers_by": answers_by(),
                "compared_by": compared_by(),
                "conversations": [(item, sign(item), item.turns.count()) for item in conversations],
                "deleted": "deleted" in request.GET,
                "not_found": status == HTTPStatus.NOT_FOUND,
            },
            status=status,
        )
    add_never_cache_headers(response)
    return response


def _do(request: HttpRequest, language: str) -> HttpResponse:
    session = session_hash(request.session.session_key or "")
    conversation = open_signed(request.POST.get("conversation", ""), session)
    if conversation is None:
        return _note(request, language, HTTPStatus.NOT_FOUND)
    if request.POST.get("do") == "delete":
        own_data.erase(conversation)
        return HttpResponseRedirect(f"{reverse('assistant:privacy', args=[language])}?deleted")
    return downloaded(conversation, Viewer.of(request.user))


def downloaded(conversation: Conversation, viewer: Viewer) -> HttpResponse:
    """Return all that is kept of a conversation as a file."""
    told = json.dumps(own_data.as_json(conversation, viewer), ensure_ascii=False, indent=2)
    response = HttpResponse(told, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="conversation-{conversation.created_at:%Y-%m-%d}.json"'
    add_never_cache_headers(response)
    return response
