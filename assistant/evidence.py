"""Numbered sources: what the model may cite, what the latch checks against, what the reader can open.

A source is a passage at its place in a version, or a version's own fields told as sentences.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse

from assistant.events import SourceReference
from assistant.record_sentences import tell
from guardrails.latch import Source
from records.search import Hit
from records.selectors import RecordView


@dataclass(frozen=True, slots=True)
class Evidence:
    """One source. Its number is its place in the sequence, from 1."""

    source: Source
    reference: SourceReference
    version: int
    from_fields: bool  # told from a record's fields; otherwise a passage of its text
    dense: float | None = None  # the passage's similarity to the question


def passage_reference(
    record: str, kind: str, title: str, version: int, passage: str, start: int, end: int
) -> SourceReference:
    """Return the reference to a passage at its place in a version."""
    url = reverse("records:passage", args=[version, passage])
    return SourceReference(record, kind, title, version, passage, start, end, url)


def fields_reference(record: str, kind: str, title: str, version: int, language: str) -> SourceReference:
    """Return the reference to a record's own fields, as they stood in a version: its address says which."""
    url = f"{reverse('records:record', args=[language, kind, record])}?version={version}"
    return SourceReference(record, kind, title, None, None, None, None, url)


def from_hits(hits: Sequence[Hit]) -> tuple[Evidence, ...]:
    """Return passages as sources, in the order of the search."""
    return tuple(
        Evidence(
            source=Source(text=hit.text, language=hit.language, title=hit.title),
            reference=passage_reference(hit.record, hit.kind, hit.title, hit.version, hit.passage, hit.start, hit.end),
            version=hit.version,
            from_fields=False,
            dense=hit.dense,
        )
        for hit in hits
    )


def from_records(views: Sequence[RecordView], language: str, owner: str) -> tuple[Evidence, ...]:
    """Return records' fields as sources, told in the reader's language."""
    return tuple(
        Evidence(
            source=Source(text=tell(view, language, owner), language=language, title=view.title),
            reference=fields_reference(view.record, view.kind, view.title, view.version, language),
            version=view.version,
            from_fields=True,
        )
        for view in views
    )
