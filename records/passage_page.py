"""What the page of a cited passage shows: the passage in the text it was cited from, and how things stand today."""

from dataclasses import dataclass
from enum import StrEnum

from django.utils import timezone

from records.access import Viewer, visible
from records.models import Passage, PassagePlacement, RecordVersion


class Standing(StrEnum):
    """How a version stands today."""

    LIVE = "live"
    SUPERSEDED = "superseded"
    WITHDRAWN = "withdrawn"
    REVOKED = "revoked"


@dataclass(frozen=True, slots=True)
class PassagePage:
    """The version's text in three parts, `passage` the one that was cited."""

    uid: str
    version: RecordVersion
    section_path: tuple[str, ...]
    before: str
    passage: str
    after: str
    standing: Standing
    today: RecordVersion | None
    stands_today: bool
    expired: bool


def find(version_id: int, uid: str) -> PassagePage | None:
    """Return the page, or None where that version never had that passage. Access is the caller's to check."""
    version = RecordVersion.objects.select_related("record").filter(pk=version_id).first()
    passage = Passage.objects.filter(uid=uid).first()
    if version is None or passage is None:
        return None
    placement = PassagePlacement.objects.filter(version=version, passage=passage).first()
    start, end = (placement.start, placement.end) if placement else _search(version, passage)
    if end == 0:
        return None
    today = _newest(version, retired_at=None)
    return PassagePage(
        uid=uid,
        version=version,
        section_path=tuple(placement.section_path) if placement else (),
        before=version.text[:start],
        passage=version.text[start:end],
        after=version.text[end:],
        standing=_standing(version, today),
        today=today,
        stands_today=today is not None and today.placements.filter(passage=passage).exists(),
        expired=is_expired(version),
    )


def is_expired(version: RecordVersion) -> bool:
    """Tell whether a version's validity has ended, by the owner's day."""
    return version.valid_to is not None and version.valid_to < timezone.localdate()


def may_open(version: RecordVersion, viewer: Viewer) -> bool:
    """Tell whether a viewer may read a version: by its own access, and by that of the newest in its language."""
    both = {version.pk, (_newest(version) or version).pk}
    return RecordVersion.objects.filter(visible(viewer), pk__in=both).count() == len(both)


def _search(version: RecordVersion, passage: Passage) -> tuple[int, int]:
    """Where a passage stands that an earlier way of cutting this version made; (0, 0) for nowhere."""
    same_record = passage.record_id == version.record_id and passage.language == version.language
    start = version.text.find(passage.text) if same_record and passage.text else -1
    return (start, start + len(passage.text)) if start >= 0 else (0, 0)


def _newest(version: RecordVersion, **conditions: None) -> RecordVersion | None:
    others = RecordVersion.objects.filter(record_id=version.record_id, language=version.language, **conditions)
    return others.order_by("-number").first()


def _standing(version: RecordVersion, today: RecordVersion | None) -> Standing:
    if version.revoked_at:
        return Standing.REVOKED
    if version.retired_at is None:
        return Standing.LIVE
    return Standing.SUPERSEDED if today else Standing.WITHDRAWN
