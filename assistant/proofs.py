"""What each sentence of a stored answer rests on, and how that stands today: what a reader checks an answer by.

A sentence that this reader may not read (any more) is left out, with all that it rests on.
Reads the database, a fixed number of statements however many sentences there are; renders nothing.
"""

import uuid
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db.models import F, OuterRef, Prefetch, QuerySet, Subquery
from django.db.models.functions import Least, Substr

from assistant.journal import reference
from assistant.models import Citation, Sentence
from assistant.readable import citations, unreadable
from records.access import Viewer
from records.models import PassagePlacement, RecordVersion
from records.standing import Standing, is_expired, standing

LONGEST_EXCERPT = 600  # characters; the page of the passage has the rest


@dataclass(frozen=True, slots=True)
class Proof:
    """One source of one sentence: where it stands, in which version, and which is today's.

    `excerpt` is the passage as that version has it; empty for a sentence that was built from the record's fields.
    """

    number: int
    url: str
    version: RecordVersion
    today: RecordVersion | None
    section_path: tuple[str, ...]
    from_fields: bool
    excerpt: str

    @property
    def standing(self) -> str:
        """How the version that was used stands today."""
        return standing(self.version, self.today).value

    @property
    def superseded(self) -> bool:
        """Whether there is a newer version of the same record today."""
        return self.standing == Standing.SUPERSEDED

    @property
    def expired(self) -> bool:
        """Whether what the version says was valid until a day that is over."""
        return is_expired(self.version)


@dataclass(frozen=True, slots=True)
class Proven:
    """One sentence of an answer with its proofs; none where it only links others."""

    text: str
    language: str
    proofs: tuple[Proof, ...]


def proofs_of(turns: Collection[uuid.UUID], viewer: Viewer) -> dict[uuid.UUID, list[Proven]]:
    """Return the sentences of these turns in order, for those turns that have any to show."""
    stored = list(
        Sentence.objects.filter(turn__in=turns, ordinal__gt=Sentence.LEAD_IN)
        .select_related("turn")
        .only("turn__language", "ordinal", "text", "language")
        .prefetch_related(Prefetch("citations", _placed()))
    )
    closed = unreadable(stored, viewer)
    today = _live(citation.version for sentence in stored for citation in sentence.citations.all())
    numbers: dict[uuid.UUID, dict[str, int]] = {}
    result: dict[uuid.UUID, list[Proven]] = {}
    for sentence in stored:
        if sentence.pk in closed:
            continue
        known = numbers.setdefault(sentence.turn_id, {})
        proven = Proven(sentence.text, sentence.language, tuple(_proofs(sentence, known, today)))
        result.setdefault(sentence.turn_id, []).append(proven)
    return result


def _proofs(
    sentence: Sentence,
    numbers: dict[str, int],
    today: dict[tuple[int, str], RecordVersion],
) -> Iterable[Proof]:
    for citation in sentence.citations.all():
        version = citation.version
        url = reference(citation, sentence.turn.language).url
        yield Proof(
            number=numbers.setdefault(url, len(numbers) + 1),
            url=url,
            version=version,
            today=today.get((version.record_id, version.language)),
            section_path=tuple(citation.section_path or ()),  # type: ignore[attr-defined]  # `_placed` adds it
            from_fields=citation.passage_id is None,
            excerpt=_cut(citation.excerpt or ""),  # type: ignore[attr-defined]  # likewise
        )


def _placed() -> QuerySet[Citation]:
    """Citations with their passage's section path, and with as much of it as is shown and one character more."""
    placement = PassagePlacement.objects.filter(version=OuterRef("version"), passage=OuterRef("passage"))
    length = Least(F("end") - F("start"), LONGEST_EXCERPT + 1)
    return citations().annotate(
        section_path=Subquery(placement.values("section_path")[:1]),
        excerpt=Substr("version__text", F("start") + 1, length),
    )


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_EXCERPT else f"{text[:LONGEST_EXCERPT].rstrip()} …"


def _live(cited: Iterable[RecordVersion]) -> dict[tuple[int, str], RecordVersion]:
    """Return today's versions of what is cited; only those of versions that are history have to be read."""
    known = {version.pk: version for version in cited}.values()
    records = {version.record_id for version in known if version.retired_at}
    newer = RecordVersion.objects.filter(record__in=records, retired_at=None).defer("body", "text") if records else ()
    live = [*(version for version in known if version.retired_at is None), *newer]
    return {(version.record_id, version.language): version for version in live}
