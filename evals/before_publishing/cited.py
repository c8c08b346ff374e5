"""Which stored answers of visitors cite what an act takes off the site, and how many lose the passage they cite."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from assistant.models import Citation, Turn
from evals.before_publishing.models import Rehearsal
from records.models import Record, RecordVersion
from records.publishing import drafted, pending

SHOWN = 10  # turns, the newest


@dataclass(frozen=True, slots=True)
class Cited:
    """`answers` cite a version that goes; `losing` of them a passage that no version on the site will have any more."""

    answers: int
    losing: int
    newest: tuple[Turn, ...]


def cited(records: Sequence[Record], act: str) -> Cited:
    """Return what visitors were told from the versions that the act takes off the site (reads the database)."""
    going = [version for record in records for version in _going(record, act)]
    citing = Citation.objects.filter(version__in=going, sentence__turn__live_check=False)
    turns = _turns(citing)
    lost = citing.filter(passage__isnull=False).exclude(passage__in=_staying(records) if act == "publish" else ())
    return Cited(turns.count(), _turns(lost).count(), tuple(turns.order_by("-created_at")[:SHOWN]))


def _going(record: Record, act: str) -> list[RecordVersion]:
    live = record.versions.filter(retired_at=None)
    return list(live.filter(language__in=pending(record)) if act == Rehearsal.Act.PUBLISH else live)


def _staying(records: Sequence[Record]) -> set[str]:
    """The ids of the passages that the drafts have as well: unchanged text keeps its id."""
    return {chunk.uid for record in records for _draft, document in drafted(record) for chunk in document.chunks}


def _turns(citations: QuerySet[Citation]) -> QuerySet[Turn]:
    return Turn.objects.filter(pk__in=citations.values("sentence__turn"))
