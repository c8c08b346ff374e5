"""What every entrance does with what a visitor sent: read it, apply the limits, ask, and never break.

`admit` makes a `Question` or raises `Declined` with a text for the reader; `ask` yields the turn's events. The
entrances (socket, API, form) differ in how they speak, and in nothing else.
"""

import asyncio
import logging
import uuid
from collections.abc import AsyncGenerator, Mapping
from contextlib import ExitStack, aclosing
from dataclasses import replace
from enum import StrEnum
from typing import assert_never

from django.conf import settings
from django.db import Error as DatabaseError
from django.utils.translation import gettext as _
from django.utils.translation import override

from assistant import joining, journal, limits, live_mark
from assistant.conversations import open_signed
from assistant.database import in_database
from assistant.events import Done, Event, Notice, NoticeReason, Released
from assistant.metrics import NOTICES, QUESTIONS, observe
from assistant.models import Conversation, Turn
from assistant.places import Place, places
from assistant.question import Question, clean, is_askable
from assistant.texts import notice_text
from assistant.trace import Trace
from assistant.turn import answer
from assistant.visitors import Visitor

logger = logging.getLogger(__name__)

BUSY_RETRY = 30  # seconds after which a reader is told to try again
LANGUAGES = frozenset(code for code, _name in settings.LANGUAGES)


class Problem(StrEnum):
    """What can be wrong with what was sent."""

    FORM = "form"  # not an object of fields at all
    LANGUAGE = "lang"
    QUESTION = "question"
    TURN = "turn"
    CONVERSATION = "conversation"


class Declined(Exception):
    """The question was not asked. `notice` tells the reader why, `retry_after` (seconds) when to try again."""

    def __init__(self, notice: Notice, *, problem: Problem | None = None, retry_after: int | None = None) -> None:
        super().__init__(notice.reason)
        self.notice = notice
        self.problem = problem
        self.retry_after = retry_after


async def admit(fields: Mapping[str, object], visitor: Visitor, entrance: str) -> Question:
    """Return the question that `question`, `lang`, `turn` and `conversation` make; raises Declined.

    A text that cannot be asked is declined before the limits are touched, so correcting it costs nothing.
    """
    if live_mark.is_ours(_text(fields, live_mark.FIELD)):
        visitor, entrance = Visitor.checking(), "live_check"
    question = read(fields, visitor)
    place = places.enter(visitor.buckets)
    if place is None:
        raise declined("busy", question.language, BUSY_RETRY)
    with ExitStack() as where_declined:
        where_declined.callback(place.leave)
        question = await _within_limits(question, fields, visitor)
        where_declined.pop_all()
    QUESTIONS.labels(entrance).inc()
    return replace(question, place=place)


async def _within_limits(question: Question, fields: Mapping[str, object], visitor: Visitor) -> Question:
    if exceeded := await limits.check(*visitor.buckets):
        raise declined("rate_limited", question.language, exceeded.retry_after)
    token = _text(fields, "conversation")
    try:
        conversation = await in_database(open_signed, token, visitor.session) if token else None
        if await in_database(_is_another_question, question):
            question = replace(question, id=uuid.uuid4())
    except DatabaseError:
        logger.exception("No database: a question was turned away.")
        raise declined("unavailable", question.language) from None
    if token and conversation is None:
        raise invalid(Problem.CONVERSATION, question.language)
    return replace(question, conversation=conversation)


def read(fields: Mapping[str, object], visitor: Visitor) -> Question:
    """Return the question without its conversation, or raise Declined; touches nothing outside."""
    language = _text(fields, "lang")
    if language not in LANGUAGES:
        raise invalid(Problem.LANGUAGE, settings.LANGUAGE_CODE)
    text = clean(_text(fields, "question"))
    if not is_askable(text):
        raise invalid(Problem.QUESTION, language)
    turn = _text(fields, "turn")
    try:
        identity = uuid.UUID(turn) if turn else uuid.uuid4()
    except ValueError:
        raise invalid(Problem.TURN, language) from None
    return Question(
        text=text,
        language=language,
        id=identity,
        viewer=visitor.viewer,
        session=visitor.session,
        shares=visitor.shares,
        live_check=visitor.live_check,
    )


async def ask(question: Question) -> AsyncGenerator[Event, None]:
    """Yield the events of an admitted question; closing the generator closes the turn.

    An answer that the end of the process stops is told as stopped, as far as its reader can still be told.
    """
    if question.place is None:
        raise ValueError("only what `admit` returned can be asked")
    with question.place as place:
        released = False
        try:
            async with aclosing(answer(question)) as events:
                async for event in events:
                    observe(event)
                    released = released or isinstance(event, Released)
                    yield event
        except asyncio.CancelledError:
            if not _stopped_by_us(place):
                raise
            async for event in _ending(question, released=released):
                yield event


def _stopped_by_us(place: Place) -> bool:
    """Whether the process stops this answer, and nobody else wants it to end."""
    task = asyncio.current_task()
    return place.stopped and task is not None and not task.uncancel()


async def _ending(question: Question, *, released: bool) -> AsyncGenerator[Event, None]:
    yield Notice("stopped", notice_text("stopped", question.language, released=released))
    turn = await in_database(journal.find, question.id, question.session)
    yield joining.done(turn) if turn else not_asked()


def invalid(problem: Problem, language: str) -> Declined:
    """Return the refusal to read what was sent, with a text that says what to do about it."""
    NOTICES.labels("invalid").inc()
    return Declined(Notice("invalid", _problem_text(problem, language)), problem=problem)


def declined(reason: NoticeReason, language: str, retry_after: int | None = None) -> Declined:
    """Return the refusal to ask just now."""
    NOTICES.labels(reason).inc()
    return Declined(Notice(reason, notice_text(reason, language, retry_after)), retry_after=retry_after)


def not_asked() -> Done:
    """Return the closing event of something that never became a turn."""
    return Trace(route="refusal").done(None)


def signed_conversation(turn_id: uuid.UUID) -> Conversation | None:
    """Return the conversation that a turn of ours belongs to."""
    turn = Turn.objects.select_related("conversation").filter(pk=turn_id).first()
    return turn.conversation if turn else None


def _text(fields: Mapping[str, object], name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""


def _is_another_question(question: Question) -> bool:
    """Whether this turn id was used for other words: then it is a new question, not a resend of the old one."""
    return Turn.objects.filter(pk=question.id).exclude(question=question.text).exists()


def _problem_text(problem: Problem, language: str) -> str:
    with override(language):
        match problem:
            case Problem.QUESTION:
                return notice_text("invalid", language)
            case Problem.LANGUAGE:
                return _("This site does not speak that language. Please choose one of the languages it offers.")
            case Problem.CONVERSATION:
                return _("That conversation cannot be continued here. Send the question again to begin a new one.")
            case Problem.FORM | Problem.TURN:
                return _("That could not be read. Please load the page again and send the question once more.")
            case _ as never:
                assert_never(never)
