"""Asks open gaps again once something new is published: one that passes the floor by a new passage is answered.

The search decides, no model: that what was found says it all is not known. Asked anew without an answer, a gap opens
again by itself.
"""

import asyncio
import time
from datetime import datetime

from django.db.models import Min
from django.utils import timezone

from assistant import floors
from assistant.events import Done
from evals.asking import Asker
from evals.gaps import found
from evals.gaps.found import State
from evals.golden import Case, Said
from evals.live.due import all_taken_in
from evals.models import GroupedQuestion, QuestionGroup
from guardrails import floor
from guardrails.floor import Floors
from records import corpus
from records.models import Owner, PassagePlacement

BATCH = 100  # gaps a run; the next one comes a minute later


def ask_again(seconds: float) -> int:
    """Ask the gaps that were not asked of today's corpus; return how many turned out answered. Raises TurnFailed."""
    deadline, today, answered = time.monotonic() + seconds, corpus.fingerprint(), 0
    due = list(QuestionGroup.objects.exclude(asked_of=today).order_by("pk")[:BATCH])
    if not due or not all_taken_in():
        return 0
    standing = found.standing(group.pk for group in due)
    asker = Asker(Owner.objects.first())
    for group in due:
        if time.monotonic() > deadline:
            break
        state, last = standing.get(group.pk, (State.ANSWERED, group.created_at))
        learnt: dict[str, object] = {"asked_of": today}
        if state is State.OPEN and _is_answered(group, last, asker):
            learnt["answered_at"] = timezone.now()
            answered += 1
        QuestionGroup.objects.filter(pk=group.pk).update(**learnt)  # gone meanwhile, there is nothing to keep
    return answered


def _is_answered(group: QuestionGroup, last: datetime, asker: Asker) -> bool:
    leader = group.questions.filter(leads=True).select_related("turn", "follows").first()
    return leader is not None and _passes_by_new(_searched(leader, asker), last, floors.current())


def _searched(leader: GroupedQuestion, asker: Asker) -> Done:
    question = Case(
        id=f"group-{leader.group_id}",
        language=leader.turn.language,
        question=leader.turn.question,
        previous=(Said(question=leader.follows.question, answer=""),) if leader.follows else (),
    )
    return asyncio.run(asker.search(question))


def _passes_by_new(done: Done, last: datetime, in_force: Floors) -> bool:
    """Whether a passage that is over the floor stood in no version yet when the gap was asked about last."""
    over = [passage.passage for passage in done.top if floor.decide(passage.dense, passage.words, in_force).passed]
    first = (
        PassagePlacement.objects.filter(passage__in=over).values("passage").annotate(on=Min("version__published_at"))
    )
    return any(row["on"] > last for row in first)
