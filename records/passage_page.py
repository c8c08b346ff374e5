"""What the page of a cited passage shows: the passage in the text it was cited from, and how things stand today."""

from collections.abc import Iterator
from dataclasses import dataclass

from records.models import Passage, RecordVersion
from records.placing import Place, place, stands_in
from records.standing import Standing, is_expired, standing, today


@dataclass(frozen=True, slots=True)
class NeededPassage:
    """What the cited passage is to be read with, out of the same version. `kind` is one of PassageRelation.Kind."""

    kind: str
    uid: str
    heading: str
    text: str


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
    needs: tuple[NeededPassage, ...]


def find(version_id: int, uid: str) -> PassagePage | None:
    """Return the page, or None where that version never had that passage. Access is the caller's to check."""
    version = RecordVersion.objects.select_related("record").filter(pk=version_id).first()
    passage = Passage.objects.filter(uid=uid).first()
    if version is None or passage is None or passage.record_id != version.record_id:
        return None
    live = today(version)
    where = Place(0, 0) if version.revoked_at else place(version, passage)
    if where is None:
        return None
    return PassagePage(
        uid=uid,
        version=version,
        section_path=where.section_path,
        before=version.text[: where.start],
        passage=version.text[where.start : where.end],
        after=version.text[where.end :],
        standing=standing(version, live),
        today=live,
        stands_today=live is not None and (live == version or stands_in(live, passage)),
        expired=is_expired(version),
        needs=tuple(_needs(version, where.section_path)),
    )


def _needs(version: RecordVersion, section_path: tuple[str, ...]) -> Iterator[NeededPassage]:
    """What this version declared that the passage's section needs: true of old versions too."""
    for relation in version.relations:
        if section_path[-1:] == (relation["section"],):
            for placement in version.placements.filter(section_path__len__gt=0).select_related("passage"):
                if placement.section_path[-1] == relation["needs"]:
                    yield NeededPassage(
                        relation["kind"], placement.passage_id, relation["needs"], placement.passage.text
                    )
