"""Answers about the work as a whole, read from the live versions each time: lists of records, newest first.

Each record comes once, in the reader's language where it is published in it, else in English, else in the one that it
was written in first, else in any.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import Case, F, IntegerField, Q, QuerySet, Value, When

from guardrails.routing import Topic
from records.access import Viewer, visible
from records.models import Kind, RecordVersion
from records.standing import is_current

_POSITION = Q(record__kind=Kind.CV, fields__contains={"type": "job"})
_SKILLS = Q(record__kind=Kind.CV, fields__contains={"type": "skills"})  # a list of them, without a date
_STUDY = Q(record__kind=Kind.CV, fields__contains={"type": "education"})
_TOPICS: dict[Topic, Q] = {
    "now": Q(current=True) & ~Q(record__kind=Kind.SERVICE),
    "recent": ~Q(record__kind=Kind.SERVICE) & ~_SKILLS,
    "career": Q(record__kind=Kind.CV) & ~_STUDY & ~_SKILLS,
    "projects": Q(record__kind=Kind.CASE_STUDY),
    "research": Q(record__kind=Kind.ARTICLE) | _STUDY,
    "writing": Q(record__kind=Kind.ARTICLE),
    "education": _STUDY,
    "skills": Q(record__kind__in=[Kind.SERVICE, Kind.CASE_STUDY]) | _POSITION | _SKILLS,
    "services": Q(record__kind=Kind.SERVICE),
    "overview": Q(),
}
_PANORAMA = {Kind.CV: 2, Kind.CASE_STUDY: 2, Kind.ARTICLE: 2, Kind.SERVICE: 2}


@dataclass(frozen=True, slots=True)
class RecordView:
    """A live version as lists and answers show it. `current`: by the owner's mark, as far as it holds today."""

    version: int
    record: str
    kind: str
    language: str
    title: str
    summary: str
    start: date | None
    start_precision: str
    end: date | None
    end_precision: str
    current: bool
    valid_from: date | None
    valid_to: date | None
    fields: dict[str, Any]
    published_at: datetime | None = None


def overview(topic: Topic, language: str, viewer: Viewer, limit: int) -> list[RecordView]:
    """Return the newest records of a topic, `limit` at most."""
    views = _newest_first(_live(_TOPICS[topic], language, viewer))
    return [view for view in views if topic != "now" or view.current][:limit]


def panorama(language: str, viewer: Viewer) -> list[RecordView]:
    """Return a few of the newest records of each kind: what a first-time visitor should know."""
    views = _newest_first(_live(Q(), language, viewer))
    return [view for kind, most in _PANORAMA.items() for view in [v for v in views if v.kind == kind][:most]]


def by_kind(kind: Kind, language: str, viewer: Viewer) -> list[RecordView]:
    """Return all records of a kind, newest first."""
    return _newest_first(_live(Q(record__kind=kind), language, viewer))


def by_kinds(language: str, viewer: Viewer) -> dict[Kind, list[RecordView]]:
    """Return all records by kind, newest first (one query)."""
    views = _newest_first(_live(Q(), language, viewer))
    return {kind: [view for view in views if view.kind == kind] for kind in Kind}


def written_in(kind: Kind, language: str, viewer: Viewer, limit: int) -> list[RecordView]:
    """Return the newest records of a kind that are published in a language, `limit` at most."""
    own = RecordVersion.objects.filter(visible(viewer), record__kind=kind, language=language, retired_at=None)
    return _newest_first(map(view, own.select_related("record").defer("body", "text")))[:limit]


def live_version(slug: str, language: str, viewer: Viewer) -> RecordVersion | None:
    """Return a record's live version in the best language for a reader, or None where there is none for this viewer."""
    return _in_best_language(Q(record__slug=slug), language, viewer).first()


def view(version: RecordVersion) -> RecordView:
    """Return a version as lists show it."""
    return RecordView(
        version=version.pk,
        record=version.record.slug,
        kind=version.record.kind,
        language=version.language,
        title=version.title,
        summary=version.summary,
        start=version.start,
        start_precision=version.start_precision,
        end=version.end,
        end_precision=version.end_precision,
        current=is_current(version.current, version.start, version.valid_to),
        valid_from=version.valid_from,
        valid_to=version.valid_to,
        fields=version.fields,
        published_at=version.published_at,
    )


def _live(condition: Q, language: str, viewer: Viewer) -> list[RecordView]:
    return [view(version) for version in _in_best_language(condition, language, viewer).defer("body", "text")]


def _in_best_language(condition: Q, language: str, viewer: Viewer) -> QuerySet[RecordVersion]:
    preference = Case(
        When(language=language, then=Value(0)),
        When(language="en", then=Value(1)),
        When(language=F("record__original"), then=Value(2)),
        default=Value(3),
        output_field=IntegerField(),
    )
    live = RecordVersion.objects.filter(condition, visible(viewer), retired_at=None).select_related("record")
    return live.order_by("record_id", preference, "language").distinct("record_id")


def _newest_first(views: Iterable[RecordView]) -> list[RecordView]:
    """Order by start, the current before the finished where dates tie, then by end; the undated come last."""

    def key(view: RecordView) -> tuple[object, ...]:
        start = view.start.toordinal() if view.start else 0
        end = view.end.toordinal() if view.end else 0
        return (-start, not view.current, -end, view.record)

    return sorted(views, key=key)
