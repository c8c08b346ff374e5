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
from assistant.models import Turn
from assistant.page import known
from assistant.presentation import ShownTurn
from assistant.question import clean
from assistant.visitors import Visitor, of_request


class FeedbackView(View):
    """`POST /{lang}/chat/feedback/`: `answer` (a turn's id) and any of `verdict`, `comment`, `report`."""

    async def post(self, request: HttpRequest, language: str) -> HttpResponse:
        """Keep it, within limits of its own that are as many as those of questions."""
        known(language)
        try:
            visitor = await self.visitor(request)
            if exceeded := await limits.check(*(f"feedback:{bucket}" for bucket in visitor.buckets)):
                response = await in_database(self._declined, request, language, HTTPStatus.TOO_MANY_REQUESTS)
                response["Retry-After"] = str(exceeded.retry_after)
                return response
            kept = await in_database(self._keep, request)
        except DatabaseError:
            return await in_database(self._declined, request, language, HTTPStatus.SERVICE_UNAVAILABLE)
        if kept is None:
            return await in_database(self._declined, request, language, HTTPStatus.NOT_FOUND)
        if not _by_htmx(request):
            return await in_database(self.thanked, request, language, kept.turn_id)
        turn = ShownTurn(kept.turn_id, "", language, running=False, feedback=kept)
        with override(language):
            return render(request, "chat/feedback.html", {"turn": turn, "language": language, "thanks": True})

    async def visitor(self, request: HttpRequest) -> Visitor:
        """Return who speaks."""
        return await of_request(request)

    def turn(self, request: HttpRequest, turn_id: uuid.UUID) -> Turn | None:
        """Return the turn if it was asked in this session."""
        session = session_hash(request.session.session_key or "")
        return journal.find(turn_id, session) if session else None

    def thanked(self, request: HttpRequest, language: str, turn_id: uuid.UUID) -> HttpResponse:
        """Lead back to the answer, whose form shows what is kept."""
        return HttpResponseRedirect(f"{reverse('assistant:chat', args=[language])}#feedback-{turn_id}")

    def told(self, request: HttpRequest, language: str, text: str) -> HttpResponse:
        """Return a page that says why nothing was kept."""
        return render(request, "chat/message.html", {"language": language, "text": text})

    def _keep(self, request: HttpRequest) -> Feedback | None:
        """Store what was sent beside a turn of this reader's; a field that was not sent stays as it is."""
        try:
            turn = self.turn(request, uuid.UUID(request.POST.get("answer", "")))
        except ValueError:
            return None
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

    def _declined(self, request: HttpRequest, language: str, status: HTTPStatus) -> HttpResponse:
        with override(language):
            text = {
                HTTPStatus.TOO_MANY_REQUESTS: _(
                    "Much was sent from your address in a short time. Please try again later."
                ),
                HTTPStatus.SERVICE_UNAVAILABLE: _("That could not be kept just now. Please try again."),
                HTTPStatus.NOT_FOUND: _("That answer is not kept here any more. Nothing was stored."),
            }[status]
            if _by_htmx(request):
                fragment = render(request, "chat/message_fragment.html", {"text": text})
                response = reswap(retarget(fragment, "#form-notice"), "innerHTML")
            else:
                response = self.told(request, language, text)
        response.status_code = status
        return response


def _by_htmx(request: HttpRequest) -> bool:
    return bool(getattr(request, "htmx", False))
