"""`POST /api/ask`: one question as JSON, the turn's events as server-sent events.

For pages of this site (the Origin header must be the site's own) and for programs with an API key. A client that goes
away closes the turn.
"""

import json
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from http import HTTPStatus

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.db import Error as DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse, StreamingHttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from assistant import api_keys
from assistant.asking import Declined, Problem, admit, ask, declined, invalid, not_asked
from assistant.events import Event, as_json, name
from assistant.origin import is_own
from assistant.question import Question
from assistant.visitors import of_key, of_request

logger = logging.getLogger(__name__)


@csrf_exempt  # the Origin header and the content type, which a foreign form cannot send, stand in for the token
@require_POST
async def ask_view(request: HttpRequest) -> HttpResponseBase:
    """Answer 200 with a stream of events, 400 for what cannot be asked, 401 for a key that is none, 403 or 429."""
    key = api_keys.presented(request.headers.get("Authorization"))
    if key is None and not is_own(request.headers.get("Origin"), request.get_host()):
        return JsonResponse({"error": "The Origin header is not this site's own."}, status=HTTPStatus.FORBIDDEN)
    try:
        visitor = await of_request(request) if key is None else await of_key(request, key)
        if visitor is None:
            return _unknown_key()
        question = await admit(_fields(request), visitor, "api")
    except Declined as refused:
        return _turned_away(refused)
    except DatabaseError:
        logger.exception("No database: a question was turned away.")
        return _turned_away(declined("unavailable", settings.LANGUAGE_CODE))
    return _stream(_events(question))


def _unknown_key() -> HttpResponseBase:
    response = JsonResponse({"error": "The API key is wrong or was revoked."}, status=HTTPStatus.UNAUTHORIZED)
    response["WWW-Authenticate"] = "Bearer"
    return response


async def _events(question: Question) -> AsyncGenerator[str, None]:
    try:
        async with aclosing(ask(question)) as events:
            async for event in events:
                yield _frame(event, str(question.id))
    except Exception:  # the last line of defence: the reader gets a text, the owner a log line
        logger.exception("A turn failed at the API.")
        yield _frame(declined("unavailable", question.language).notice, str(question.id))
        yield _frame(not_asked(), str(question.id))


async def _one_notice(refused: Declined) -> AsyncGenerator[str, None]:
    yield _frame(refused.notice, None)
    yield _frame(not_asked(), None)


def _turned_away(refused: Declined) -> HttpResponseBase:
    body = {"id": None, "event": "notice", **as_json(refused.notice), "field": refused.problem}
    match refused.notice.reason:
        case "invalid":
            return JsonResponse(body, status=HTTPStatus.BAD_REQUEST)
        case "rate_limited" | "busy":
            response: HttpResponse = JsonResponse(body, status=HTTPStatus.TOO_MANY_REQUESTS)
            response["Retry-After"] = str(refused.retry_after)
            return response
        case _:
            return _stream(_one_notice(refused))


def _stream(frames: AsyncGenerator[str, None]) -> HttpResponseBase:
    response = StreamingHttpResponse(frames, content_type="text/event-stream; charset=utf-8")
    response["Cache-Control"] = "no-store"
    response["X-Accel-Buffering"] = "no"  # nginx would hold the sentences back
    return response


def _frame(event: Event, identity: str | None) -> str:
    # ASCII escapes keep line ends, which would end the frame, out of the data.
    data = json.dumps({"id": identity, "event": name(event), **as_json(event)})
    return f"event: {name(event)}\ndata: {data}\n\n"


def _fields(request: HttpRequest) -> dict[str, object]:
    if request.content_type != "application/json":
        raise invalid(Problem.FORM, settings.LANGUAGE_CODE)
    try:
        fields = json.loads(request.body)
    except (ValueError, RecursionError, RequestDataTooBig):
        raise invalid(Problem.FORM, settings.LANGUAGE_CODE) from None
    if not isinstance(fields, dict):
        raise invalid(Problem.FORM, settings.LANGUAGE_CODE)
    return fields
