"""Deletes what visitors wrote when its time is over, and keeps how often what happened.

A batch is one transaction: its turns are counted into `DayFigure` and deleted together, so a process that is killed has
neither lost a figure nor counted one twice. Money is kept apart: the ledger knows a turn by a plain string.
"""

import time
import uuid
from collections import Counter
from collections.abc import Collection, Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from assistant import day_figures
from assistant.day_figures import Figure
from assistant.models import Conversation, DayFigure, GuardrailEvent, Sentence, Turn

BATCH = 200  # turns in one transaction

_Kind = DayFigure.Kind


def limit() -> datetime:
    """Return the moment before which nothing that a visitor wrote is kept."""
    return timezone.now() - timedelta(days=settings.TRAVA.RETENTION_DAYS)


def erase_expired(seconds: float) -> int:
    """Delete expired turns and the conversations that they leave empty, batch by batch; return how many turns."""
    deadline, before = time.monotonic() + seconds, limit()
    erased = 0
    # Old turns of a conversation that goes on, too; then what is left of one that fell silent.
    for due in (Turn.objects.filter(created_at__lt=before), Turn.objects.filter(conversation__last_turn_at__lt=before)):
        while time.monotonic() < deadline and (count := _erase_batch(due)):
            erased += count
    Conversation.objects.filter(last_turn_at__lt=before, turns=None).delete()
    return erased


@transaction.atomic
def _erase_batch(due: QuerySet[Turn]) -> int:
    """Count and delete the oldest of them that no other process is deleting."""
    taken = due.select_for_update(skip_locked=True, of=("self",)).order_by("created_at")
    return erase_turns([turn.pk for turn in taken.only("pk")[:BATCH]])


def erase_turns(ids: Collection[uuid.UUID]) -> int:
    """Count and delete these turns, which the caller has locked in a transaction of its own; return how many."""
    turns = Turn.objects.filter(pk__in=ids)
    figures = Counter(_figures(turns))
    day_figures.add(figures)
    turns.delete()
    return sum(count for (_day, _language, kind, _name), count in figures.items() if kind == _Kind.TURNS)


def _figures(turns: QuerySet[Turn]) -> Iterator[Figure]:
    """Yield one figure for everything that happened in these turns."""
    released = Count("sentences", filter=Q(sentences__ordinal__gt=Sentence.LEAD_IN))
    for turn in turns.filter(live_check=False).annotate(released=released):
        day = timezone.localdate(turn.created_at)
        yield day, turn.language, _Kind.TURNS, ""
        yield from [(day, turn.language, _Kind.SENTENCES, "")] * turn.released
        for kind in (_Kind.ROUTE, _Kind.REFUSAL, _Kind.NOTICE, _Kind.STOP):
            if name := getattr(turn, kind.value):
                yield day, turn.language, kind, name
    for event in GuardrailEvent.objects.filter(turn__in=turns, turn__live_check=False).select_related("turn"):
        yield timezone.localdate(event.turn.created_at), event.turn.language, _Kind.GUARD, event.guard
