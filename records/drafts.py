"""How a record's texts stand to each other: which is the original, what is missing, what is older than the original.

Whoever writes several texts of a record at once writes the original first: a translation that was written before
its original's last change is older than it.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import TypeVar

from django.conf import settings
from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.functions import Least

from records.models import Record, RecordText, RecordVersion

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
    changed = _original_first(texts).values("updated_at")[:1]
    return records.annotate(original_changed=Subquery(changed)).filter(
        Exists(texts.filter(updated_at__lt=OuterRef("original_changed")))
    )


def outdated() -> QuerySet[RecordVersion]:
    """Return the live translations that say what their live original said before it was corrected.

    One that was published with the correction or after it is none, nor one whose draft says the same as it does and
    was changed, or found right, since the correction was written: when exactly that was is not kept, but for the
    draft's last change and the publication, of which the earlier one counts.
    """
    live = RecordVersion.objects.filter(retired_at=None)
    versions = live.annotate(
        original=Subquery(_original_first(live.filter(record=OuterRef("record"))).values("pk")[:1])
    )
    original = RecordVersion.objects.filter(pk=OuterRef("original"))
    draft = RecordText.objects.filter(record=OuterRef("record"), language=OuterRef("language"))
    written = original.order_by().annotate(drafted=Subquery(draft.values("updated_at")[:1]))
    same = draft.filter(**{name: OuterRef(name) for name in ("title", "summary", "body")})
    corrected = original.filter(number__gt=1, published_at__gt=OuterRef("published_at"))
    return (
        versions.annotate(written=Subquery(written.values(at=Least("drafted", "published_at"))))
        .filter(Exists(corrected))
        .exclude(Exists(same.filter(updated_at__gte=OuterRef("written"))))
        .order_by()
    )


M = TypeVar("M", RecordText, RecordVersion)


def _original_first(texts: QuerySet[M]) -> QuerySet[M]:
    """A record's texts in the order in which they are its original: what `original_language` says, in SQL."""
    rank = Case(When(language=F("record__original"), then=0), When(language=PREFERRED, then=1), default=2)
    return texts.annotate(rank=rank).order_by("rank", "language")


def with_missing_translation(records: QuerySet[Record], languages: Iterable[str] = CODES) -> QuerySet[Record]:
    """Return the records that have no text in one of the languages."""
    missing = Q()
    for code in languages:
        missing |= ~Q(Exists(RecordText.objects.filter(record=OuterRef("pk"), language=code)))
    return records.filter(missing)
