"""What a found passage can't be read rightly without: its caveats, definitions and tables, out of the same version.

Only what is live and open to the viewer is returned, and never more than MOST for all passages together.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from records.access import Viewer, visible
from records.models import PassageRelation, SearchEntry
from records.search import Hit

MOST = 4  # beside eight delivered passages: half as much again to read and to pay for


@dataclass(frozen=True, slots=True)
class Need:
    """`hit` is what the passage at place `of` (from 0) needs. It was not searched for, so its measures are empty."""

    of: int
    kind: str  # of PassageRelation.Kind
    hit: Hit


def needs_of(hits: Sequence[Hit], viewer: Viewer) -> list[Need]:
    """Return what these passages need, in their order (two queries at most). What several need is counted once."""
    relations = list(PassageRelation.objects.filter(passage__in=[hit.passage for hit in hits]))
    if not relations:
        return []
    entries = SearchEntry.objects.filter(
        visible(viewer),
        placement__version__in={hit.version for hit in hits},
        placement__passage__in={relation.needed_id for relation in relations},
    ).select_related("placement__passage")
    entries = entries.defer("vector", "lexemes", "word_numbers", "grams", "words")
    found = {(entry.placement.version_id, entry.placement.passage_id): entry for entry in entries}
    wanted = sorted(_wanted(hits, relations, found), key=lambda need: (need.of, need.hit.start))
    kept = list(dict.fromkeys(need.hit.passage for need in wanted))[:MOST]
    return [need for need in wanted if need.hit.passage in kept]


def _wanted(
    hits: Sequence[Hit], relations: Sequence[PassageRelation], found: dict[tuple[int, str], SearchEntry]
) -> Iterator[Need]:
    for of, hit in enumerate(hits):
        for relation in relations:
            entry = found.get((hit.version, relation.needed_id))
            if relation.passage_id == hit.passage and entry and relation.needed_id != hit.passage:
                yield Need(of, relation.kind, _as_hit(hit, entry))


def _as_hit(hit: Hit, entry: SearchEntry) -> Hit:
    """The needed passage, with what it shares with the one of the same version that was found."""
    at = entry.placement
    return replace(
        hit,
        passage=at.passage_id,
        section_path=tuple(at.section_path),
        text=at.passage.text,
        start=at.start,
        end=at.end,
        dense=None,
        words=0.0,
        fused=0.0,
    )
