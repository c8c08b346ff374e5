"""A rehearsal from its start to its result: its row says how far it is, and the worker does it.

A row that is gone, because a newer rehearsal took its place, ends the work. What breaks it is told in the row.
"""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import timedelta
from functools import partial
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from evals.asking import TurnFailed
from evals.before_publishing import trial
from evals.before_publishing.affected import choose
from evals.before_publishing.models import Rehearsal
from evals.before_publishing.trial import Site
from evals.golden import GoldenSetError
from evals.ground import Ground
from metering.errors import MeteringError
from records import corpus, rehearsal
from records.models import Record, RecordVersion
from records.publishing import publish, withdraw

SILENT = timedelta(minutes=2)  # after which a rehearsal that says nothing has lost its worker
SAID_EVERY = 0.5  # seconds: how often progress is written

State = Rehearsal.State

logger = logging.getLogger(__name__)


class Replaced(Exception):
    """The rehearsal's row is gone: end, and keep nothing."""


@transaction.atomic
def begin(records: Sequence[Record], act: str, by: User) -> Rehearsal:
    """Make the row of a new rehearsal in the place of the last one of this act on the first of the records."""
    first, *others = records
    Rehearsal.objects.filter(record=first, act=act).delete()
    row = Rehearsal.objects.create(record=first, act=act, started_by=by, corpus=corpus.fingerprint())
    row.others.set(others)
    return row


def run(pk: int) -> None:
    """Rehearse, and write the outcome into the row."""
    row = Rehearsal.objects.select_related("record").filter(pk=pk, state=State.WAITING).first()
    if row is None:
        return
    try:
        _write(row, state=State.DONE, **_rehearse(row))
    except Replaced:
        logger.info("rehearsal %s was replaced by another", pk)
    except (TurnFailed, GoldenSetError, MeteringError) as error:
        _stopped(row, f"{type(error).__name__}: {error}")
    except Exception:
        _stopped(row, "The log says why.")
        raise


def is_silent(row: Rehearsal) -> bool:
    """Whether it waits or runs, and nothing was heard of it for long: no worker is at it."""
    return row.state not in {State.DONE, State.FAILED} and row.updated_at < timezone.now() - SILENT


def is_stale(row: Rehearsal) -> bool:
    """Whether the drafts or what is published have changed since it began."""
    records = Record.objects.filter(pk__in=[record.pk for record in row.together])
    last = records.aggregate(record=Max("updated_at"), text=Max("texts__updated_at"))
    changed = max(filter(None, last.values()))
    return changed > row.started_at or corpus.fingerprint() != row.corpus


def _rehearse(row: Rehearsal) -> dict[str, Any]:
    records, ground = row.together, Ground.now()
    site = Site.now(embeds=ground.embeds)
    tell = _Progress(row)
    tell(State.CHOOSING, 0, 0)
    drafts = rehearsal.Drafted({}, {})
    if row.act == Rehearsal.Act.PUBLISH:
        drafts = rehearsal.embed_drafts(records, partial(tell, State.CHOOSING, 0, 0))
    chosen = choose(records, drafts, site.asker(), partial(tell, State.CHOOSING))
    total = len(chosen.cases)
    compared = trial.compare(
        chosen.cases,
        site,
        lambda: rehearsal.perform(_ACTS[row.act], records, drafts),
        before=lambda done: tell(State.BEFORE, done, total),
        after=lambda done: tell(State.AFTER, done, total),
    )
    counts = {
        "asked": total,
        "suggested": chosen.suggested,
        "expecting": chosen.expecting,
        "left_out": chosen.left_out,
        "near": chosen.near,
    }
    return {"chosen": counts, "results": [asdict(each) for each in compared], "done": total, "total": total}


class _Progress:
    """Writes how far it is, now and then: at each new state, and not more often than can be read."""

    def __init__(self, row: Rehearsal) -> None:
        self._row = row
        self._state = ""
        self._said = 0.0

    def __call__(self, state: State, done: int, total: int) -> None:
        if state == self._state and done < total and time.monotonic() < self._said + SAID_EVERY:
            return
        self._state, self._said = state, time.monotonic()
        _write(self._row, state=state, done=done, total=total)


def _write(row: Rehearsal, **values: object) -> None:
    if not Rehearsal.objects.filter(pk=row.pk).update(**values, updated_at=timezone.now()):
        raise Replaced


def _stopped(row: Rehearsal, why: str) -> None:
    Rehearsal.objects.filter(pk=row.pk).update(state=State.FAILED, error=why[:300], updated_at=timezone.now())


def _withdraw(record: Record) -> list[RecordVersion]:
    """Withdraw; no version is made."""
    withdraw(record)
    return []


_ACTS: dict[str, Callable[[Record], list[RecordVersion]]] = {
    Rehearsal.Act.PUBLISH: publish,
    Rehearsal.Act.WITHDRAW: _withdraw,
}
