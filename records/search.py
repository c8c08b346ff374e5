"""Finding the passages for a question: one statement, the only raw SQL of the product.

Access is filtered before anything is ranked. Reciprocal rank fusion orders the passages and does nothing else;
what a floor may compare is each passage's own cosine and its own share of the question's words. The passages
with the best of either are always among those returned.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import connection  # noqa: TID251  # this is the module that the ban sends raw SQL to

from records import lexemes
from records.access import Viewer, visible
from records.models import SearchEntry

LIST_LENGTH = 50  # of each ranked list
CANDIDATES = 200  # that the index picks for the keyword list by weight
RRF_K = 60
MOST_WORDS = 64  # of a reading; a longer question is found by its first ones
# Okapi BM25 with its usual constants; a word that stands only in the context counts as half an occurrence.
BM25_K1, BM25_B, CONTEXT_SHARE = 1.2, 0.75, 0.5


@dataclass(frozen=True, slots=True)
class Reading:
    """One wording of a question: its words, those of them that carry the subject, and its centred vector."""

    content_words: tuple[str, ...]
    words: tuple[str, ...]
    vector: Sequence[float] | None


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
    readings = [(reading, True) for reading in query.floor] + [(reading, False) for reading in query.order]
    entries, entry_parameters = SearchEntry.objects.filter(visible(viewer)).query.sql_with_params()
    values: list[Any] = []
    for number, (reading, counts) in enumerate(readings):
        values += [number, counts, *_columns(reading)]
    statement = _STATEMENT.format(entries=entries, readings=", ".join([_READING] * len(readings)), **_CONSTANTS)
    with connection.cursor() as cursor:
        cursor.execute(statement, [*entry_parameters, *values, query.language, k])
        return Found(tuple(_hit(row) for row in cursor.fetchall()))


def _columns(reading: Reading) -> list[Any]:
    words = list(dict.fromkeys(lexemes.with_han_singles(reading.words)))[:MOST_WORDS]
    content = list(dict.fromkeys(reading.content_words))
    # The index picks by words that carry the subject; where there are none, by what there is.
    wanted = lexemes.tsquery(lexemes.with_han_singles(content[:MOST_WORDS])) or lexemes.tsquery(words)
    vector = None if reading.vector is None else f"[{','.join(map(str, reading.vector))}]"
    return [vector, wanted, words, content]


def _hit(row: Sequence[Any]) -> Hit:
    hit = dict(zip(Hit.__dataclass_fields__, row, strict=True))
    hit["section_path"] = tuple(hit["section_path"])
    hit["dense"] = None if hit["dense"] is None else min(1.0, max(0.0, hit["dense"]))
    hit["words"], hit["fused"] = float(hit["words"]), float(hit["fused"])
    return Hit(**hit)


_CONSTANTS = {
    "list_length": LIST_LENGTH,
    "candidates": CANDIDATES,
    "rrf_k": RRF_K,
    "k1": BM25_K1,
    "b": BM25_B,
    "context_share": CONTEXT_SHARE,
}
_READING = "(%s, %s, %s::vector, %s::tsquery, %s::text[], %s::text[])"
_STATEMENT = """
WITH entry AS NOT MATERIALIZED ({entries}),
reading (number, counts, vector, wanted, words, content) AS (VALUES {readings}),
dense AS (
    SELECT near.id, row_number() OVER (PARTITION BY reading.number ORDER BY near.distance, near.id) AS place
    FROM reading CROSS JOIN LATERAL (
        SELECT entry.id, entry.vector <=> reading.vector AS distance
        FROM entry
        WHERE entry.vector IS NOT NULL AND reading.vector IS NOT NULL
        ORDER BY distance
        LIMIT {list_length}
    ) AS near
),
candidate AS MATERIALIZED (
    SELECT
        reading.number, picked.id, picked.words, cardinality(picked.words) AS length,
        tsvector_to_array(ts_filter(picked.lexemes, '{{d}}')) AS context
    FROM reading CROSS JOIN LATERAL (
        SELECT entry.id, entry.words, entry.lexemes
        FROM entry
        WHERE entry.lexemes @@ reading.wanted
        ORDER BY ts_rank(entry.lexemes, reading.wanted) DESC, entry.id
        LIMIT {candidates}
    ) AS picked
),
collection AS (SELECT number, count(*) AS size, avg(length) AS length FROM candidate GROUP BY number),
occurrence AS MATERIALIZED (
    SELECT candidate.number, candidate.id, candidate.length, word, frequency
    FROM candidate
    JOIN reading USING (number)
    CROSS JOIN LATERAL unnest(reading.words) AS word
    CROSS JOIN LATERAL (
        SELECT cardinality(array_positions(candidate.words, word))
            + CASE WHEN word = ANY (candidate.context) THEN {context_share} ELSE 0 END AS frequency
    ) AS counted
    WHERE frequency > 0
),
rarity AS (
    SELECT number, word, ln(1 + (size - count(*) + 0.5) / (count(*) + 0.5)) AS weight
    FROM occurrence JOIN collection USING (number)
    GROUP BY number, word, size
),
scored AS (
    SELECT
        number, occurrence.id,
        sum(weight * frequency * ({k1} + 1) / (
            frequency + {k1} * (1 - {b} + {b} * occurrence.length / greatest(collection.length, 1))
        )) AS score
    FROM occurrence JOIN collection USING (number) JOIN rarity USING (number, word)
    GROUP BY number, occurrence.id
),
keyword AS (
    SELECT id, row_number() OVER (PARTITION BY number ORDER BY score DESC, id) AS place FROM scored
),
fused AS (
    SELECT id, sum(1.0 / ({rrf_k} + place)) AS fused
    FROM (SELECT id, place FROM dense UNION ALL SELECT id, place FROM keyword WHERE place <= {list_length}) AS listed
    GROUP BY id
),
measured AS (
    SELECT
        entry.placement_id, entry.record_id, entry.language, fused.fused, placement.passage_id,
        (SELECT max(1 - (entry.vector <=> reading.vector)) FROM reading WHERE counts) AS dense,
        coalesce((
            SELECT max(CASE WHEN found >= 2 THEN found::float8 / cardinality(content) ELSE 0 END)
            FROM reading CROSS JOIN LATERAL (
                SELECT count(*) AS found FROM unnest(content) AS word WHERE word = ANY (entry.words)
            ) AS covered
            WHERE counts
        ), 0) AS words
    FROM fused
    JOIN entry USING (id)
    JOIN records_passageplacement AS placement ON placement.id = entry.placement_id
),
spoken AS (
    SELECT *, first_value(language) OVER (
        PARTITION BY record_id ORDER BY language = %s DESC, fused DESC, passage_id
    ) AS spoken
    FROM measured
),
ranked AS (
    SELECT
        *,
        row_number() OVER (ORDER BY fused DESC, dense DESC NULLS LAST, words DESC, passage_id) AS place,
        row_number() OVER (ORDER BY dense DESC NULLS LAST, fused DESC, passage_id) AS dense_place,
        row_number() OVER (ORDER BY words DESC, fused DESC, passage_id) AS words_place
    FROM spoken
    WHERE language = spoken
),
delivered AS (
    SELECT * FROM ranked ORDER BY least(dense_place, words_place) > 1, place LIMIT %s
)
SELECT
    passage.uid, version.id, record.slug, record.kind, version.language, version.title, placement.section_path,
    passage.text, placement.start, placement."end", delivered.dense, delivered.words, delivered.fused,
    version.start, version.start_precision, version."end", version.end_precision, version.current,
    version.authority, version.decided_by, version.valid_from, version.valid_to
FROM delivered
JOIN records_passageplacement AS placement ON placement.id = delivered.placement_id
JOIN records_passage AS passage ON passage.uid = placement.passage_id
JOIN records_recordversion AS version ON version.id = placement.version_id
JOIN records_record AS record ON record.id = delivered.record_id
ORDER BY delivered.place
"""
