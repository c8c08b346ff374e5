"""How a record stands in each language: its draft, what is live, what publishing would change, how far search is."""

from dataclasses import dataclass

from django.db.models import Count, Q

from records.drafts import CODES, DraftState, states
from records.models import IngestionStep, Record, RecordVersion, SearchEntry
from records.publishing import Pending, pending


@dataclass(frozen=True, slots=True)
class LanguageRow:
    """One language of one record. `found` of `pieces` passages have what finding them by meaning needs."""

    language: str
    draft: DraftState
    live: RecordVersion | None
    pending: Pending | None
    versions: int
    step: IngestionStep | None
    found: int
    pieces: int

    @property
    def is_ready(self) -> bool:
        """Whether nothing of the live version waits."""
        return self.step is None or self.step.state == IngestionStep.State.DONE

    @property
    def is_failed(self) -> bool:
        """Whether somebody must look at it: nobody tries again by himself."""
        return self.step is not None and self.step.state == IngestionStep.State.FAILED


def rows(record: Record) -> list[LanguageRow]:
    """Return every language of the site, in its order."""
    live = {version.language: version for version in record.versions.filter(retired_at=None)}
    counts = dict(record.versions.order_by().values_list("language").annotate(Count("pk")))
    steps = IngestionStep.objects.filter(version__in=live.values(), step=IngestionStep.Step.EMBEDDINGS)
    by_version = {step.version_id: step for step in steps}
    entries = SearchEntry.objects.filter(placement__version__in=live.values()).values_list("placement__version")
    progress = {
        version: (vectors, pieces)
        for version, vectors, pieces in entries.annotate(
            vectors=Count("pk", filter=Q(vector__isnull=False)), pieces=Count("pk")
        )
    }
    drafts, changes = states(record), pending(record)
    found: list[LanguageRow] = []
    for code in CODES:
        version = live.get(code)
        step = by_version.get(version.pk) if version else None
        vectors, pieces = progress.get(version.pk, (0, 0)) if version else (0, 0)
        found.append(
            LanguageRow(code, drafts[code], version, changes.get(code), counts.get(code, 0), step, vectors, pieces)
        )
    return found
