"""Finding the passages for a question. One statement in raw SQL picks and measures candidates.

Access is filtered before anything is picked. Candidates are the nearest by vector and those that hold the rarest of
the question's words; `ranking` orders them. What a floor may compare is each passage's own cosine and its own share of
the question's words, measured here. A translation that is older than its original answers in its own language alone:
to whoever reads another, what was corrected since would be told as it was.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

from django.db import connection  # noqa: TID251  # this is the module that the ban sends raw SQL to

from guardrails.coverage import coverage
from records import lexemes, rarity, vector_index
from records.access import Viewer, visible
from records.drafts import outdated
from records.grams import numbers, word_numbers
from records.models import SearchEntry
from records.ranking import Candidate, Ranked, coverages, rank

NEAREST = 100  # candidates by vector, of each reading
MATCHING = 300  # candidates by words, of each reading, at most
EXPECTED = 250  # so many a reading's rarest words may be expected to find
MOST_WORDS = 64  # of a reading; a longer question is found by its first ones


@dataclass(frozen=True, slots=True)
class Reading:
    """One wording of a question: its words, those of them that carry the subject, and its centred vector.

    One that does not order is measured alone: a question that says little without the one before it, say.
    """

    content_words: tuple[str, ...]
    words: tuple[str, ...]
    vector: Sequence[float] | None
    orders: bool = True


@dataclass(frozen=True, slots=True)
class Query:
    """`floor` readings order and are measured; `order` readings order only."""

    floor: tuple[Reading, ...]
    order: tuple[Reading, ...] = ()
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage where it stands, with its measures. `dense` and `words` are 0 to 1, `fused` only orders."""

    passage: str
    version: int
    record: str
    kind: str
    language: str
    title: str
    section_path: tuple[str, ...]
    text: str
    start: int
    end: int
    dense: float | None
    words: float
    fused: float
    start_date: date | None
    start_precision: str
    end_date: date | None
    end_precision: str
    current: bool
    authority: int
    decided_by: str
    valid_from: date | None
    valid_to: date | None


@dataclass(frozen=True, slots=True)
class Found:
    """Hits in fused order, and the best measures among them."""

    hits: tuple[Hit, ...]

    @property
    def best_dense(self) -> float | None:
        return max((hit.dense for hit in self.hits if hit.dense is not None), default=None)

    @property
    def best_words(self) -> float:
        return max((hit.words for hit in self.hits), default=0.0)


def search(query: Query, viewer: Viewer, k: int) -> Found:
    """Return the k best passages that this viewer may read, fewer where there are fewer."""
    newest, candidates = _candidates(query, viewer)
    grams = {
        number: numbers(lexemes.with_han_singles(reading.words[:MOST_WORDS]))
        for number, reading in enumerate((*query.floor, *query.order))
        if reading.orders
    }
    ranked = rank(candidates, grams, rarity.of(newest, query.language), query.language, k)
    return Found(tuple(_hits(query, ranked, viewer)))


def _candidates(query: Query, viewer: Viewer) -> tuple[int, list[Candidate]]:
    """The number of the newest entry of all, and what the lists are made from."""
    entries, entry_parameters = SearchEntry.objects.filter(visible(viewer)).query.sql_with_params()
    translations, translation_parameters = _outdated()
    values: list[Any] = []
    for number, reading in enumerate((*query.floor, *query.order)):
        values += [number, number < len(query.floor), *_columns(reading)]
    readings = ", ".join([_READING] * (len(query.floor) + len(query.order)))
    with connection.cursor() as cursor:
        statement = _CANDIDATES.format(
            entries=entries,
            readings=readings,
            distance=_distance(query),
            nearest=NEAREST,
            matching=MATCHING,
            outdated=translations,
        )
        cursor.execute(statement, [*entry_parameters, *values, query.language, *translation_parameters])
        rows = cursor.fetchall()
    found = [row for row in rows if row[1] is not None]
    content = [word_numbers(reading.content_words) for reading in query.floor]
    words = coverages([row[-2] for row in found], content)
    return rows[0][0] or 0, [
        Candidate(entry, placement, passage, record, language, distances, dense, share, grams)
        for (_, entry, placement, passage, _, record, language, distances, dense, _, grams), share in zip(
            found, words, strict=True
        )
    ]


@cache
def _outdated() -> tuple[str, tuple[Any, ...]]:
    """The statement that finds outdated translations, always the same: building it takes longer than running it."""
    statement, parameters = outdated().values("pk").query.sql_with_params()
    return statement, tuple(parameters)


def _distance(query: Query) -> str:
    """How near a vector is: exactly, or in the words of the index that a large corpus has."""
    lengths = {len(reading.vector) for reading in (*query.floor, *query.order) if reading.vector is not None}
    if rarity.known().size <= vector_index.EXACT_UP_TO or not lengths:
        return "entry.vector <=> reading.vector"
    return "entry.vector::halfvec({0}) <=> reading.vector::halfvec({0})".format(lengths.pop())


def _columns(reading: Reading) -> list[Any]:
    content = list(dict.fromkeys(reading.content_words))
    # The index picks by words that carry the subject; where there are none, by what there is.
    wanted = lexemes.with_han_singles(content[:MOST_WORDS]) or lexemes.with_han_singles(reading.words)[:MOST_WORDS]
    vector = None if reading.vector is None else f"[{','.join(map(str, reading.vector))}]"
    return [vector, lexemes.tsquery(_rarest(wanted))]


def _rarest(words: Iterable[str]) -> list[str]:
    """The rarest of the words, as many as may be expected to find no more passages than can be ranked."""
    known = rarity.known()
    expected = 0.0
    rarest: list[str] = []
    for word in sorted(set(words), key=lambda word: (known.passages_with(word), word)):
        expected += known.passages_with(word)
        if rarest and expected > EXPECTED:
            break
        rarest.append(word)
    return rarest


_WHOLE_TEXTS = ("placement__version__body", "placement__version__text")


def _hits(query: Query, ranked: Sequence[Ranked], viewer: Viewer) -> Iterator[Hit]:
    """What is shown of the delivered passages; one that was taken out meanwhile is left out."""
    entries = SearchEntry.objects.filter(visible(viewer), pk__in=[each.candidate.entry for each in ranked])
    entries = entries.defer("vector", "lexemes", "word_numbers", "grams", *_WHOLE_TEXTS)
    related = ("placement__passage", "placement__version__record")
    by_id = {entry.pk: entry for entry in entries.select_related(*related)}
    for each in ranked:
        if entry := by_id.get(each.candidate.entry):
            words = max((coverage(reading.content_words, entry.words) for reading in query.floor), default=0.0)
            yield _hit(entry, each, words)


def _hit(entry: SearchEntry, ranked: Ranked, words: float) -> Hit:
    placement, dense = entry.placement, ranked.candidate.dense
    version = placement.version
    return Hit(
        passage=placement.passage_id,
        version=version.pk,
        record=version.record.slug,
        kind=version.record.kind,
        language=version.language,
        title=version.title,
        section_path=tuple(placement.section_path),
        text=placement.passage.text,
        start=placement.start,
        end=placement.end,
        dense=None if dense is None else min(1.0, max(0.0, dense)),
        words=words,
        fused=ranked.fused,
        start_date=version.start,
        start_precision=version.start_precision,
        end_date=version.end,
        end_precision=version.end_precision,
        current=version.current,
        authority=version.authority,
        decided_by=version.decided_by,
        valid_from=version.valid_from,
        valid_to=version.valid_to,
    )


_READING = "(%s, %s, %s::vector, %s::tsquery)"
_CANDIDATES = """
WITH entry AS NOT MATERIALIZED ({entries}),
reading (number, counts, vector, wanted) AS (VALUES {readings}),
picked AS (
    SELECT near.id
    FROM reading CROSS JOIN LATERAL (
        SELECT entry.id
        FROM entry
        WHERE entry.vector IS NOT NULL AND reading.vector IS NOT NULL
        ORDER BY {distance}
        LIMIT {nearest}
    ) AS near
    UNION
    SELECT matching.id
    FROM reading CROSS JOIN LATERAL (
        SELECT entry.id FROM entry WHERE entry.lexemes @@ reading.wanted ORDER BY entry.id DESC LIMIT {matching}
    ) AS matching
),
measured AS MATERIALIZED (
    SELECT
        entry.id, entry.placement_id, placement.passage_id, placement.version_id, entry.record_id, entry.language,
        ARRAY(SELECT entry.vector <=> reading.vector FROM reading ORDER BY number) AS distances,
        (SELECT max(1 - (entry.vector <=> reading.vector)) FROM reading WHERE counts) AS dense,
        entry.word_numbers,
        entry.grams
    FROM picked
    JOIN entry USING (id)
    JOIN records_passageplacement AS placement ON placement.id = entry.placement_id
)
SELECT newest.id, measured.*
FROM (SELECT max(id) AS id FROM records_searchentry) AS newest
LEFT JOIN measured
    ON measured.language = %s
    OR (SELECT outdated.id FROM ({outdated}) AS outdated (id) WHERE outdated.id = measured.version_id) IS NULL
"""
