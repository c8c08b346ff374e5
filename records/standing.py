"""How a version stands today, and who may open it: by its own access, and by that of the newest in its language."""

from collections.abc import Collection
from datetime import date
from enum import StrEnum

from django.db.models import Exists, OuterRef, Subquery
from django.utils import timezone

from records.access import Viewer, visible
from records.models import RecordVersion


class Standing(StrEnum):
    """How a version stands today."""

    LIVE = "live"
    SUPERSEDED = "superseded"
    WITHDRAWN = "withdrawn"
    REVOKED = "revoked"


def today(version: RecordVersion) -> RecordVersion | None:
    """Return the live version of the same record and language."""
    return RecordVersion.objects.filter(record_id=version.record_id, language=version.language, retired_at=None).first()


def standing(version: RecordVersion, live: RecordVersion | None) -> Standing:
    """Tell how a version stands, given the one that is live today."""
    if version.revoked_at:
        return Standing.REVOKED
    if version.retired_at is None:
        return Standing.LIVE
    return Standing.SUPERSEDED if live else Standing.WITHDRAWN


def is_expired(version: RecordVersion) -> bool:
    """Tell whether a version's validity has ended."""
    return is_over(version.valid_to)


def is_over(last_day: date | None) -> bool:
    """Tell whether a last day of validity has passed, by the owner's day; what has none does not end."""
    return last_day is not None and last_day < timezone.localdate()


def is_current(marked: bool, start: date | None, valid_to: date | None) -> bool:
    """Tell whether what the owner marked as current may be called so today: not without a date, not after its end."""
    return marked and start is not None and not is_over(valid_to)


def openable(versions: Collection[int], viewer: Viewer) -> set[int]:
    """Return those of the versions that a viewer may open today (one query). A revoked one opens, and is empty."""
    same = RecordVersion.objects.filter(record_id=OuterRef("record_id"), language=OuterRef("language"))
    newest = Subquery(same.order_by("-number").values("pk")[:1])
    found = RecordVersion.objects.filter(visible(viewer), pk__in=versions).annotate(newest=newest)
    still = RecordVersion.objects.filter(visible(viewer), pk=OuterRef("newest"))
    return set(found.filter(Exists(still)).values_list("pk", flat=True))


def may_open(version: RecordVersion, viewer: Viewer) -> bool:
    """Tell whether a viewer may open a version today."""
    return bool(openable([version.pk], viewer))
