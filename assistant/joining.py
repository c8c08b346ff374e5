"""A turn that was asked already: tell what is stored, follow it to its end, and ask nothing twice.

It reads the database alone, so it does not matter which process the turn runs in, or whether that one lives.
"""

import asyncio
from collections.abc import AsyncGenerator
from typing import cast

from django.utils import timezone

from assistant import conversations, journal
from assistant.database import in_database
from assistant.events import (
    Done,
    Event,
    Notice,
    NoticeReason,
    Refusal,
    RefusalReason,
    Similarities,
    TopPassage,
)
from assistant.models import Turn
from assistant.question import Question
from assistant.texts import notice_text, refusal_text
from assistant.trace import Trace

POLL_SECONDS = 0.2


async def join(question: Question, language: str) -> AsyncGenerator[Event, None]:
    """Yield the events of the stored turn; another session's turn is none of this reader's business."""
    seen = -1
    while True:
        turn = await in_database(journal.find, question.id, question.session)
        if turn is None:
            yield Notice("invalid", notice_text("invalid", language))
            yield Trace().done(None)
            return
        for ordinal, sentence in await in_database(journal.sentences_of, turn, question.viewer, seen):
            seen = ordinal
            yield sentence
        if turn.state == Turn.State.DONE:
            break
        if turn.deadline < timezone.now():
            await in_database(journal.close_abandoned)
        await asyncio.sleep(POLL_SECONDS)
    if turn.refusal:
        reason = cast(RefusalReason, turn.refusal)
        yield Refusal(reason, refusal_text(reason, turn.language))
    if turn.notice:
        notice = cast(NoticeReason, turn.notice)
        yield Notice(notice, notice_text(notice, turn.language, released=seen >= 0))
    yield done(turn)


def done(turn: Turn) -> Done:
    """Return the closing event of a stored turn."""
    nothing = {"dense": None, "words": None}
    return Done(
        route=turn.route,
        model_called=turn.model_called,
        embedded=turn.embedded,
        best=Similarities(**turn.trace.get("best", nothing)),
        floor=Similarities(**turn.trace.get("floor", nothing)),
        top=tuple(TopPassage(**passage) for passage in turn.trace.get("top", ())),
        stop=turn.stop or None,
        cost_microusd=turn.cost_microusd,
        ms=turn.ms or 0,
        conversation=conversations.sign(turn.conversation),
    )
