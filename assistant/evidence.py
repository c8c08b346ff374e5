"""Numbered sources: what the model may cite, what the latch checks against, what the reader can open.

A source is a passage at its place in a version, or a version's own fields told as sentences.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from django.urls import reverse

from assistant.events import SourceReference
from assistant.record_sentences import tell
from guardrails.latch import Source
from records.access import Viewer
from records.models import DatePrecision, PassageRelation
from records.needs import needs_of
from records.search import Hit
from records.selectors import RecordView
from records.standing import is_current, is_over

_ISO_LENGTHS = {DatePrecision.YEAR: 4, DatePrecision.MONTH: 7, DatePrecision.DAY: 10}  # characters


@dataclass(frozen=True, slots=True)
class Evidence:
    """One source. Its number is its place in the sequence, from 1.

    `dates` are its record's, as precise as they are known ("2019-03/2021"; empty: undated).
    `needs` are the numbers of the sources without which it can't be read rightly, `caveats` those that limit it.
    """

    source: Source
    reference: SourceReference
    version: int
    from_fields: bool  # told from a record's fields; otherwise a passage of its text
    dense: float | None = None  # the passage's similarity to the question
    dates: str = ""
    expired: bool = False
    needs: tuple[int, ...] = ()
    caveats: tuple[int, ...] = ()
    found: bool = True  # otherwise delivered for the sake of one that needs it

    @property
    def current(self) -> bool:
        """Whether it may be said to hold today: its record is marked so, is dated, and has not expired."""
        return bool(self.source.current)


def passage_reference(
    record: str, kind: str, title: str, version: int, passage: str, start: int, end: int, valid_to: date | None
) -> SourceReference:
    """Return the reference to a passage at its place in a version, which is valid until a day or without end."""
    url = reverse("records:passage", args=[version, passage])
    return SourceReference(record, kind, title, version, passage, start, end, url, _expired(valid_to))


def fields_reference(
    record: str, kind: str, title: str, version: int, language: str, valid_to: date | None
) -> SourceReference:
    """Return the reference to a record's own fields, as they stood in a version: its address says which."""
    url = f"{reverse('records:record', args=[language, kind, record])}?version={version}"
    return SourceReference(record, kind, title, None, None, None, None, url, _expired(valid_to))


def from_hits(hits: Sequence[Hit], viewer: Viewer) -> tuple[Evidence, ...]:
    """Return passages as sources, in the order of the search, and after them what they need (reads the database)."""
    needs = needs_of(hits, viewer)
    added = {need.hit.passage: need.hit for need in needs if need.hit.passage not in {hit.passage for hit in hits}}
    numbers = {hit.passage: number for number, hit in enumerate([*hits, *added.values()], start=1)}
    needed: dict[int, list[int]] = defaultdict(list)
    caveats: dict[int, list[int]] = defaultdict(list)
    for need in needs:
        needed[need.of].append(numbers[need.hit.passage])
        if need.kind == PassageRelation.Kind.CAVEAT:
            caveats[need.of].append(numbers[need.hit.passage])
    return (
        *(_passage(hit, tuple(needed[place]), tuple(caveats[place])) for place, hit in enumerate(hits)),
        *(replace(_passage(hit), found=False) for hit in added.values()),
    )


def _passage(hit: Hit, needs: tuple[int, ...] = (), caveats: tuple[int, ...] = ()) -> Evidence:
    return Evidence(
        source=Source(
            text=hit.text,
            language=hit.language,
            title=hit.title,
            current=is_current(hit.current, hit.start_date, hit.valid_to),
        ),
        reference=passage_reference(
            hit.record, hit.kind, hit.title, hit.version, hit.passage, hit.start, hit.end, hit.valid_to
        ),
        version=hit.version,
        from_fields=False,
        dense=hit.dense,
        dates=_dates((hit.start_date, hit.start_precision), (hit.end_date, hit.end_precision)),
        expired=is_over(hit.valid_to),
        needs=needs,
        caveats=caveats,
    )


def from_records(views: Sequence[RecordView], language: str, owner: str) -> tuple[Evidence, ...]:
    """Return records' fields as sources, told in the reader's language."""
    return tuple(
        Evidence(
            source=Source(tell(view, language, owner), language, view.title, current=view.current),
            reference=fields_reference(view.record, view.kind, view.title, view.version, language, view.valid_to),
            version=view.version,
            from_fields=True,
            dates=_dates((view.start, view.start_precision), (view.end, view.end_precision)),
            expired=is_over(view.valid_to),
        )
        for view in views
    )


def _expired(valid_to: date | None) -> str | None:
    return valid_to.isoformat() if valid_to and is_over(valid_to) else None


def _dates(*ends: tuple[date | None, str]) -> str:
    """Return ISO 8601 dates, each cut to its precision, with a stroke between start and end."""
    return "/".join(
        day.isoformat()[: _ISO_LENGTHS[DatePrecision(precision or DatePrecision.DAY)]] for day, precision in ends if day
    )
