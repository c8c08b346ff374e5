"""How a record's drafts stand to each other: which is the original, what is missing, what is older than the original.

Whoever writes several texts of a record at once writes the original first: a translation that was written before
its original's last change is older than it.
"""

from collections.abc import Iterable
from enum import StrEnum

from django.conf import settings
from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, When

from records.models import Record, RecordText

CODES = tuple(code for code, _name in settings.LANGUAGES)
PREFERRED = "en"  # the original of a record that names none


class DraftState(StrEnum):
    """How the draft in one language stands."""

    ORIGINAL = "original"
    TRANSLATED = "translated"
    OLDER = "older"
    MISSING = "missing"


def original_language(record: Record, texts: Iterable[RecordText]) -> str:
    """Return the language of a record's original; before there is any text, the one that it is to have."""
    written = {text.language for text in texts}
    wanted = (record.original, PREFERRED, *sorted(written))
    return next((code for code in wanted if code in written), record.original or PREFERRED)


def states(record: Record) -> dict[str, DraftState]:
    """Return how each language of the site stands; reads `record.texts` once, or what was prefetched of it."""
    texts = {text.language: text for text in record.texts.all()}
    original = original_language(record, texts.values())
    return {code: _state(texts.get(code), texts.get(original)) for code in CODES}


def _state(text: RecordText | None, original: RecordText | None) -> DraftState:
    if text is None or original is None:
        return DraftState.MISSING
    if text is original:
        return DraftState.ORIGINAL
    return DraftState.OLDER if text.updated_at < original.updated_at else DraftState.TRANSLATED


def with_older_translation(records: QuerySet[Record]) -> QuerySet[Record]:
    """Return the records of which a translation is older than the original."""
    texts = RecordText.objects.filter(record=OuterRef("pk"))
    rank = Case(When(language=F("record__original"), then=0), When(language=PREFERRED, then=1), default=2)
    original = texts.annotate(rank=rank).order_by("rank", "language")
    changed = original.values("updated_at")[:1]
    return records.annotate(original_changed=Subquery(changed)).filter(
        Exists(texts.filter(updated_at__lt=OuterRef("original_changed")))
    )


def with_missing_translation(records: QuerySet[Record], languages: Iterable[str] = CODES) -> QuerySet[Record]:
    """Return the records that have no text in one of the languages."""
    missing = Q()
    for code in languages:
        missing |= ~Q(Exists(RecordText.objects.filter(record=OuterRef("pk"), language=code)))
    return records.filter(missing)
