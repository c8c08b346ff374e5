"""A visitor's word on an answer: taken from a form, kept beside the turn, shown again on the page.

It needs the session in which the question was asked. With htmx the form alone comes back; without, the page.
"""

import uuid
from http import HTTPStatus

from django.db import Error as DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views import View
from django_htmx.http import reswap, retarget

from assistant import journal, limits
from assistant.conversations import session_hash
from assistant.database import in_database
from assistant.feedback_models import MAX_COMMENT, Feedback
from assistant.page import known
from assistant.presentation import ShownTurn
from assistant.question import clean
from assistant.visitors import of_request


class FeedbackView(View):
    """`POST /{lang}/chat/feedback/`: `answer` (a turn's id) and any of `verdict`, `comment`, `report`."""

    async def post(self, request: HttpRequest, language: str) -> HttpResponse:
        """Keep it, within limits of its own that are as many as those of questions."""
        known(language)
        try:
            visitor = await of_request(request)
            if exceeded := await limits.check(*(f"feedback:{bucket}" for bucket in visitor.buckets)):
                response = await in_database(_declined, request, language, HTTPStatus.TOO_MANY_REQUESTS)
                response["Retry-After"] = str(exceeded.retry_after)
                return response
            kept = await in_database(_keep, request)
        except DatabaseError:
            return await in_database(_declined, request, language, HTTPStatus.SERVICE_UNAVAILABLE)
        if kept is None:
            return await in_database(_declined, request, language, HTTPStatus.NOT_FOUND)
        if not _by_htmx(request):
            return HttpResponseRedirect(f"{reverse('assistant:chat', args=[language])}#feedback-{kept.turn_id}")
        turn = ShownTurn(kept.turn_id, "", language, running=False, feedback=kept)
        with override(language):
            return render(request, "chat/feedback.html", {"turn": turn, "language": language, "thanks": True})


def _keep(request: HttpRequest) -> Feedback | None:
    """Store what was sent beside a turn of this session; a field that was not sent stays as it is."""
    try:
        turn_id = uuid.UUID(request.POST.get("answer", ""))
    except ValueError:
        return None
    session = session_hash(request.session.session_key or "")
    turn = journal.find(turn_id, session) if session else None
    if turn is None:
        return None
    feedback, _is_new = Feedback.objects.get_or_create(turn=turn)
    if (verdict := request.POST.get("verdict", "")) in Feedback.Verdict.values:
        feedback.verdict = verdict
    if "comment" in request.POST:
        feedback.comment = clean(request.POST["comment"])[:MAX_COMMENT]
        feedback.reported = bool(request.POST.get("report"))
    feedback.handled_at = feedback.handled_by = None
    feedback.save()
    return feedback


def _declined(request: HttpRequest, language: str, status: HTTPStatus) -> HttpResponse:
    with override(language):
        text = {
            HTTPStatus.TOO_MANY_REQUESTS: _("Much was sent from your address in a short time. Please try again later."),
            HTTPStatus.SERVICE_UNAVAILABLE: _("That could not be kept just now. Please try again."),
            HTTPStatus.NOT_FOUND: _("That answer is not kept here any more. Nothing was stored."),
        }[status]
        context = {"language": language, "text": text}
        if not _by_htmx(request):
            return render(request, "chat/message.html", context, status=status)
        response = render(request, "chat/message_fragment.html", context, status=status)
    return reswap(retarget(response, "#form-notice"), "innerHTML")


def _by_htmx(request: HttpRequest) -> bool:
    return bool(getattr(request, "htmx", False))
