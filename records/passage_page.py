"""What the page of a cited passage shows: the passage in the text it was cited from, and how things stand today."""

from dataclasses import dataclass

from records.models import Passage, PassagePlacement, RecordVersion
from records.standing import Standing, is_expired, standing, today


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
    live = today(version)
    return PassagePage(
        uid=uid,
        version=version,
        section_path=tuple(placement.section_path) if placement else (),
        before=version.text[:start],
        passage=version.text[start:end],
        after=version.text[end:],
        standing=standing(version, live),
        today=live,
        stands_today=live is not None and live.placements.filter(passage=passage).exists(),
        expired=is_expired(version),
    )


def _search(version: RecordVersion, passage: Passage) -> tuple[int, int]:
    """Where a passage stands that an earlier way of cutting this version made; (0, 0) for nowhere."""
    same_record = passage.record_id == version.record_id and passage.language == version.language
    start = version.text.find(passage.text) if same_record and passage.text else -1
    return (start, start + len(passage.text)) if start >= 0 else (0, 0)
