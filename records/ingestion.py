"""Taking in what was published. The state of every step is a row; whoever dies loses its lease, not the work.

A step may run twice, at once or after another: it is idempotent, and only the runner of the latest attempt
writes its outcome. Publishing makes the passages itself; what is left to do here is embedding them.
"""

import logging
import time
from collections.abc import Callable, Iterable
from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop

from metering.embedders import embedder
from metering.errors import EmbeddingUnavailable, MeteringError
from records import alerts, spaces, vector_index
from records.embedding import embed_version
from records.models import IngestionStep, RecordVersion, SearchEntry

State = IngestionStep.State
LEASE = timedelta(minutes=2)  # a batch takes seconds; each one renews it
PAUSES = [timedelta(seconds=30 * 2**attempt) for attempt in range(6)]  # up to a quarter of an hour
ATTEMPTS = 5  # of a step that fails for no outside reason; an outage is waited for
LONG = 8  # attempts, nearly an hour: the owner is told of an outage that lasts

logger = logging.getLogger(__name__)


def enqueue(version_ids: Iterable[int], states: Iterable[State] = (State.DONE,)) -> int:
    """Let versions be embedded (again) whose step is in one of the states, or has none yet; return how many."""
    wanted = list(version_ids)
    steps = IngestionStep.objects.filter(step=IngestionStep.Step.EMBEDDINGS)
    known = set(steps.filter(version_id__in=wanted).values_list("version_id", flat=True))
    new = [
        IngestionStep(version_id=version_id, step=IngestionStep.Step.EMBEDDINGS)
        for version_id in wanted
        if version_id not in known
    ]
    IngestionStep.objects.bulk_create(new, ignore_conflicts=True)
    again = steps.filter(version_id__in=wanted, state__in=list(states))
    return len(new) + again.update(
        state=State.WAITING, attempts=0, error="", lease_until=None, updated_at=timezone.now()
    )


def run(version_id: int) -> bool:
    """Do a version's step if it is due and nobody else's; return whether it was."""
    step = _take(_due().filter(version_id=version_id))
    if step:
        _do(step)
    return step is not None


def work(seconds: float, on_step: Callable[[IngestionStep], None] | None = None) -> int:
    """Do due steps, oldest first, until none is left or the time is up; return how many."""
    deadline = time.monotonic() + seconds
    done = 0
    while time.monotonic() < deadline and (step := _take(_due())):
        _do(step)
        done += 1
        if on_step:
            on_step(step)
    return done


def sweep(seconds: float) -> int:
    """Take up what was left: expired leases, waiting steps, and entries without a vector of today's space."""
    enqueue(_versions_without_vectors())
    done = work(seconds)
    vector_index.keep()
    return done


def live_versions() -> QuerySet[RecordVersion]:
    """Return the versions that search can find."""
    return RecordVersion.objects.filter(Exists(SearchEntry.objects.filter(placement__version_id=OuterRef("pk"))))


def _versions_without_vectors() -> list[int]:
    try:
        used = embedder()
    except EmbeddingUnavailable:
        return []
    if used is None:
        return []
    entries = SearchEntry.objects.all()
    space = spaces.active()
    if space and space.fingerprint == spaces.fingerprint(used.name):
        entries = entries.filter(vector__isnull=True)
    return list(entries.values_list("placement__version_id", flat=True).distinct())


def _due() -> QuerySet[IngestionStep]:
    open_states = Q(state__in=[State.WAITING, State.RUNNING])
    free = Q(lease_until__isnull=True) | Q(lease_until__lt=timezone.now())
    return IngestionStep.objects.filter(open_states & free, step=IngestionStep.Step.EMBEDDINGS)


def _take(steps: QuerySet[IngestionStep]) -> IngestionStep | None:
    with transaction.atomic():
        step = steps.select_for_update(skip_locked=True, of=("self",)).order_by("updated_at").first()
        if step:
            step.state = State.RUNNING
            step.attempts += 1
            step.lease_until = timezone.now() + LEASE
            step.save(update_fields=["state", "attempts", "lease_until", "updated_at"])
    return step


def _do(step: IngestionStep) -> None:
    try:
        embed_version(step.version_id, lambda: _write(step, lease_until=timezone.now() + LEASE))
    except MeteringError as error:
        _write(step, state=State.WAITING, error=_line(error), lease_until=timezone.now() + _pause(step.attempts))
        logger.warning("version %s waits to be embedded: %s", step.version_id, error)
        if step.attempts >= LONG:
            told = gettext_noop("%(version)s still waits to be embedded: %(error)s")
            alerts.alert(_key(step), told, version=step.version, error=_line(error))
    except Exception as error:
        state = State.FAILED if step.attempts >= ATTEMPTS else State.WAITING
        _write(step, state=state, error=_line(error), lease_until=timezone.now() + _pause(step.attempts))
        logger.exception("version %s could not be embedded", step.version_id)
        if state is State.FAILED:
            told = gettext_noop("%(version)s could not be embedded: %(error)s")
            alerts.alert(_key(step), told, version=step.version, error=_line(error))
    else:
        _write(step, state=State.DONE, error="", lease_until=None)
        alerts.close(_key(step))


def _write(step: IngestionStep, **values: object) -> None:
    """Change the step's row, unless another runner has taken it up since."""
    mine = IngestionStep.objects.filter(pk=step.pk, state=State.RUNNING, attempts=step.attempts)
    mine.update(**values, updated_at=timezone.now())


def _pause(attempts: int) -> timedelta:
    return PAUSES[min(attempts, len(PAUSES)) - 1]


def _key(step: IngestionStep) -> str:
    return f"ingestion:{step.version_id}"


def _line(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:500]
