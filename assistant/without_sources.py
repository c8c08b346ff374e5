"""The same question to the same model without sources, for the page that shows the layers: judged, never released.

What the model says stays in this process: it is written to no table and to no log. Staff read its sentences with what
the belt has against each; everybody else is told only how many the latch would have stopped, and by which checks.
The call is reserved, counted and bounded as that of an answer is, and there is one of it.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

import structlog

from assistant import limits, model_alerts
from assistant.database import in_database
from assistant.events import Notice, NoticeReason
from assistant.places import places
from assistant.question import Question
from assistant.texts import notice_text
from assistant.unsourced_call import Tally, UnsourcedCall
from guardrails.inspection import Inspected
from metering.errors import BudgetExhausted
from metering.transports import language_model

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Spoken:
    """A sentence of the model, for staff alone."""

    sentence: Inspected
    language: str


@dataclass(frozen=True, slots=True)
class NotAsked:
    """The model was not asked without sources: the question ended before, or `notice` tells what stood in the way."""

    notice: Notice | None = None


async def without_sources(question: Question) -> AsyncGenerator[Spoken | Tally | NotAsked, None]:
    """Yield each sentence where staff ask, and last a `Tally`; or `NotAsked` alone; nothing where there is no model.

    Only for a question that was admitted and found its sources. It counts as one more question of its reader.
    """
    model = language_model()
    if question.place is None:
        raise ValueError("only what `admit` returned can be asked")
    if model is None:
        return
    buckets = question.place.buckets
    if exceeded := await limits.check(*buckets):
        yield _not_asked("rate_limited", question, exceeded.retry_after)
        return
    place = places.enter(buckets)
    if place is None:
        yield _not_asked("busy", question)
        return
    with place:
        async with aclosing(_told(UnsourcedCall(question, model), question)) as told:
            async for each in told:
                yield each


async def _told(call: UnsourcedCall, question: Question) -> AsyncGenerator[Spoken | Tally | NotAsked, None]:
    try:
        try:
            async with aclosing(call.sentences()) as sentences:
                async for sentence in sentences:
                    if question.viewer.staff:
                        yield Spoken(sentence, call.language)
        finally:
            await call.settle()
        await in_database(model_alerts.after, call.failure)
        yield call.tally()
    except BudgetExhausted:
        yield _not_asked("budget", question)
    except Exception:  # the last line of defence, as in a turn; no log line holds the message of an exception
        log.exception("demo.failed", turn=str(question.id))
        yield _not_asked("unavailable", question)


def _not_asked(reason: NoticeReason, question: Question, retry_after: int | None = None) -> NotAsked:
    return NotAsked(Notice(reason, notice_text(reason, question.language, retry_after)))
