"""Whether what is published can be found: steps that wait or failed, missing vectors, the embedder, the floors.

Needs the database.
"""

from collections.abc import Iterator
from datetime import timedelta

from django.conf import settings

from assistant import floors, retention
from assistant.models import Turn
from evals.doctor.finding import Finding, note, ok, problem
from metering.embedders import embedder
from metering.errors import EmbeddingUnavailable
from records import alerts, spaces
from records.models import IngestionStep, Record, SearchEntry
from records.personal_values import undecided

GRACE = timedelta(days=1)  # before what should be deleted is found overdue

_State = IngestionStep.State


def ingestion() -> Iterator[Finding]:
    """Check that every step of taking in a version is done, or on its way."""
    failed = IngestionStep.objects.filter(state=_State.FAILED)
    unfinished = IngestionStep.objects.filter(state__in=[_State.WAITING, _State.RUNNING]).count()
    if count := failed.count():
        example = failed.latest("updated_at")
        yield problem(
            "ingestion", f"{count} steps failed, the last with: {example.error}", "mend the cause, then `ingest --all`"
        )
    if unfinished:
        yield note("ingestion", f"{unfinished} steps wait", "the worker takes them up; or run `manage.py ingest`")
    if not (count or unfinished):
        yield ok("ingestion", "every step is done")


def vectors() -> Finding:
    """Check that search by meaning sees every passage."""
    entries = SearchEntry.objects.all()
    total, missing = entries.count(), entries.filter(vector=None).count()
    if not total:
        return note("vectors", "nothing is published", "publish records, or run `manage.py load_demo`")
    if missing:
        return note("vectors", f"{missing} of {total} passages have none: found by keyword alone", "run `ingest`")
    return ok("vectors", f"all {total} passages have one")


def embedding() -> Finding:
    """Check that the embedder runs on this machine, and is the one whose vectors are searched."""
    try:
        used = embedder()
    except EmbeddingUnavailable as error:
        return problem("embedder", str(error), "until then search goes by keyword alone")
    if used is None:
        return note("embedder", "EMBEDDER is none: search goes by keyword alone", "set EMBEDDER=bundled")
    space = spaces.active()
    if space is None:
        return note("embedder", f"{used.name} runs, and nothing is embedded yet", "run `manage.py ingest`")
    if space.fingerprint != spaces.fingerprint(used.name):
        return note("embedder", f"search still reads vectors of {space.embedder}", "run `manage.py ingest --all`")
    return ok("embedder", used.name)


def calibration() -> Finding:
    """Check that the floors belong to what is searched."""
    limits = floors.current()
    shown = f"dense {limits.dense:.3f}, words {limits.words:.2f}"
    match floors.state():
        case "uncalibrated":
            return note("floors", f"uncalibrated: {shown}, the demo's", "docs/measured.md says what they rest on")
        case "stale":
            return note("floors", f"stale: {shown} belong to another corpus or embedder", "calibrate again")
        case "calibrated":
            return ok("floors", shown)


def retention_kept() -> Finding:
    """Check that what visitors wrote is deleted in time."""
    days = settings.TRAVA.RETENTION_DAYS
    overdue = Turn.objects.filter(created_at__lt=retention.limit() - GRACE).count()
    if overdue:
        return problem(
            "retention",
            f"questions older than {days} days that are still there: {overdue}",
            "see that beat and a worker run",
        )
    return ok("retention", f"no question is older than {days} days")


def personal_data() -> Finding:
    """Check that the owner has decided on what looks like personal data in what is published."""
    holding = Record.objects.filter(personal_values__isnull=False).distinct().prefetch_related("personal_values")
    waiting = {record.slug: len(values) for record in holding if (values := undecided(record))}
    if not waiting:
        return ok("personal data", "nothing waits for the owner's decision")
    seen = f"{sum(waiting.values())} values wait for a decision, in {', '.join(sorted(waiting))}"
    return note("personal data", seen, "open the records in the admin, and list each value or dismiss it")


def alerting() -> Iterator[Finding]:
    """Check that somebody hears of what fails by itself, and has heard of what failed."""
    used = [name for name, _send in alerts.channels()]
    if not used:
        yield note(
            "alerts",
            "nobody is told when something that runs by itself fails",
            "set ALERT_WEBHOOK_URL, or EMAIL_URL and the owner's address in the admin",
        )
    waiting = alerts.untold().filter(attempts__gt=0)
    if count := waiting.count():
        yield problem(
            "alerts", f"{count} could not be told, the last: {waiting.latest('raised_at').text}", "mend the way to it"
        )
    elif used:
        yield ok("alerts", f"told by {' and '.join(used)}")


def examine() -> tuple[Finding, ...]:
    """Check all of it."""
    return (*ingestion(), vectors(), embedding(), calibration(), personal_data(), retention_kept(), *alerting())
