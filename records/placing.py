"""Where a passage stands in a version's text, however that version is cut today.

A passage's id is made of its text and of how often that text stood before it, so that a place is found again
without the placement that named it.
"""

from typing import NamedTuple

from records.chunking import occurrences, uid
from records.models import Passage, PassagePlacement, RecordVersion


class Place(NamedTuple):
    """`version.text[start:end]` is the passage's text."""

    start: int
    end: int
    section_path: tuple[str, ...] = ()


def place(version: RecordVersion, passage: Passage) -> Place | None:
    """Return where the passage stands: as the version is cut now, else as it was or would be cut.

    Its own occurrence goes first; a piece out of the middle of a sentence is the last resort.
    """
    if placed := _placed(version, passage):
        return placed
    found = _found(version, passage)
    own = [
        at
        for number, at in enumerate(found)
        if uid(version.record.slug, version.language, passage.text, number) == passage.uid
    ]
    return next((at for at in [*own, *found] if _is_whole(version.text, at)), own[0] if own else None)


def stands_in(version: RecordVersion, passage: Passage) -> bool:
    """Tell whether a version says what the passage says; as a part of a longer sentence it says something else."""
    whole = (at for at in _found(version, passage) if _is_whole(version.text, at))
    return _placed(version, passage) is not None or next(whole, None) is not None


def _placed(version: RecordVersion, passage: Passage) -> Place | None:
    placement = PassagePlacement.objects.filter(version=version, passage=passage).first()
    return Place(placement.start, placement.end, tuple(placement.section_path)) if placement else None


def _found(version: RecordVersion, passage: Passage) -> list[Place]:
    """Every place of the passage's text."""
    if not passage.text or (passage.record_id, passage.language) != (version.record_id, version.language):
        return []
    return [Place(start, start + len(passage.text)) for start in occurrences(passage.text, version.text)]


def _is_whole(text: str, at: Place) -> bool:
    """Whether it begins and ends where a line or a sentence does: behind a mark, that is, and not behind a word."""
    before, after = text[: at.start].rstrip(" "), text[at.end :].lstrip(" ")
    begins = not before or not before[-1].isalnum()
    return begins and (not after or after[0] == "\n" or not text[at.end - 1].isalnum())
