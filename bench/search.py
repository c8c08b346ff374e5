"""What a search costs as the corpus grows: the product's own search over made-up passages in a database of its own.

Words follow Zipf's law, vectors lie in clusters, one entry in ten is not public. A question takes words and vector from
a passage, with noise. Recall compares the first ten with those of the same search made exact: by all vectors.
"""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
from django.db import connection  # noqa: TID251  # makes and drops the database that is measured
from numpy.typing import NDArray

from bench import database
from records import vector_index
from records.access import PUBLIC, Viewer, visible
from records.grams import pack, word_numbers
from records.lexemes import tsvector
from records.models import (
    Access,
    EmbeddingSpace,
    Kind,
    Passage,
    PassagePlacement,
    Record,
    RecordVersion,
    SearchEntry,
)
from records.search import Query, Reading, search

Vectors = NDArray[np.float64]
SIZES = (1_000, 10_000, 100_000)
VOCABULARY, WORDS, PASSAGES_A_RECORD, DIMENSIONS, CLUSTERS = 30_000, 120, 5, 384, 400
QUESTIONS, CLIENTS, JUDGED = 200, 8, 60
_SYLLABLES = [first + vowel for first in "bdfgklmnprstvz" for vowel in "aeiou"]


@dataclass(frozen=True, slots=True)
class Corpus:
    """The made-up vocabulary with its frequencies, and the centres of the clusters."""

    random: np.random.Generator
    words: list[str]
    frequencies: Vectors
    centres: Vectors


def measure() -> None:
    """Prints every figure as it is known; needs a database server, whose test database it makes and drops."""
    with database.made_for_it():
        database.print_rows(_rows())


def _rows() -> Iterator[tuple[str, str]]:
    random = np.random.default_rng(7)
    words = ["".join(random.choice(_SYLLABLES, size=random.integers(2, 5))) for _ in range(VOCABULARY)]
    ranks = np.arange(1, VOCABULARY + 1) ** -1.05
    corpus = Corpus(random, words, ranks / ranks.sum(), _unit(random.normal(size=(CLUSTERS, DIMENSIONS))))
    EmbeddingSpace.objects.create(fingerprint="bench", embedder="bench", dimensions=DIMENSIONS, active=True)
    made = 0
    for size in SIZES:
        started = time.perf_counter()
        _grow(corpus, made, size)
        made = size
        vector_index.keep()
        yield f"{size:,} passages", f"made in {time.perf_counter() - started:.0f} s, {_disk()}"
        questions = _questions(corpus, QUESTIONS)
        for label, viewer in (("public", PUBLIC), ("no filter", Viewer(staff=True))):
            yield f"  {label}, one client", _times(questions, viewer, 1)
        yield f"  public, {CLIENTS} clients", _times(questions, PUBLIC, CLIENTS)
        yield "  recall@10 against the exact search", f"{_recall(questions[:JUDGED]):.3f}, n={JUDGED}"


def _grow(corpus: Corpus, start: int, end: int) -> None:
    for first in range(start, end, 1_000):
        _add(corpus, range(first, min(end, first + 1_000)))
    connection.cursor().execute("ANALYZE records_searchentry")


def _add(corpus: Corpus, ordinals: range) -> None:
    random = corpus.random
    now = datetime.now(UTC)
    slugs = sorted({ordinal // PASSAGES_A_RECORD for ordinal in ordinals})
    records = Record.objects.bulk_create(Record(slug=f"r{slug}", kind=Kind.ARTICLE) for slug in slugs)
    versions = RecordVersion.objects.bulk_create(
        RecordVersion(record=record, language="en", number=1, title=record.slug, checksum="", published_at=now)
        for record in records
    )
    texts = [[corpus.words[at] for at in random.choice(VOCABULARY, WORDS, p=corpus.frequencies)] for _ in ordinals]
    owner = [versions[ordinal // PASSAGES_A_RECORD - slugs[0]] for ordinal in ordinals]
    Passage.objects.bulk_create(
        Passage(uid=f"p{ordinal}", record_id=version.record_id, language="en", text=" ".join(words), words=words)
        for ordinal, version, words in zip(ordinals, owner, texts, strict=True)
    )
    placements = PassagePlacement.objects.bulk_create(
        PassagePlacement(version=version, passage_id=f"p{ordinal}", ordinal=ordinal, section_path=[], start=0, end=1)
        for ordinal, version in zip(ordinals, owner, strict=True)
    )
    near = corpus.centres[random.integers(CLUSTERS, size=len(ordinals))]
    vectors = _unit(near + random.normal(scale=0.04, size=near.shape))
    SearchEntry.objects.bulk_create(
        SearchEntry(
            placement=placement,
            record_id=version.record_id,
            kind=Kind.ARTICLE,
            language="en",
            access=Access.PRIVATE if placement.ordinal % 10 == 0 else Access.PUBLIC,
            words=words,
            lexemes=tsvector(own=words, context=[]),
            word_numbers=word_numbers(words).tobytes(),
            grams=pack(own=words, context=[]),
            content_hash=f"{random.integers(1 << 62):016x}",
            vector=vector.tolist(),
        )
        for placement, version, words, vector in zip(placements, owner, texts, vectors, strict=True)
    )


def _questions(corpus: Corpus, count: int) -> list[Query]:
    """Six words of a passage and two of the commonest of all, near that passage's vector."""
    random = corpus.random
    entries = list(SearchEntry.objects.filter(visible(PUBLIC)).order_by("content_hash")[:count])
    queries = []
    for entry in entries:
        own = [str(word) for word in random.choice(entry.words, 6, replace=False)]
        vector = _unit(np.asarray(entry.vector) + random.normal(scale=0.03, size=DIMENSIONS)).tolist()
        queries.append(Query(floor=(Reading(tuple(own), (*own, *corpus.words[:2]), vector),)))
    return queries


def _times(questions: list[Query], viewer: Viewer, clients: int) -> str:
    def ask(query: Query) -> tuple[float, float, int]:
        statements = Statements()
        try:
            started = time.perf_counter()
            with connection.execute_wrapper(statements):
                found = search(query, viewer, 8)
            return time.perf_counter() - started, max(statements.seconds), len(found.hits)
        finally:
            connection.close()  # back into the pool, as at the end of a request

    ask(questions[0])
    with ThreadPoolExecutor(clients) as pool:
        whole, statement, rows = zip(*pool.map(ask, questions), strict=True)
    return f"{_percentiles(whole)}; its statement {_percentiles(statement)}; at least {min(rows)} rows"


class Statements:
    """The seconds of each statement, until its rows are here; the one that searches is the longest."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def __call__(self, execute: Callable[..., Any], *call: Any) -> Any:
        started = time.perf_counter()
        try:
            return execute(*call)
        finally:
            self.seconds.append(time.perf_counter() - started)


def _percentiles(seconds: Iterable[float]) -> str:
    ordered = sorted(seconds)
    p50, p95 = (ordered[int(len(ordered) * share)] * 1e3 for share in (0.5, 0.95))
    return f"p50 {p50:.1f} ms, p95 {p95:.1f} ms"


def _recall(questions: list[Query]) -> float:
    """Of the first ten of an exact search, the share that is among the product's first ten."""
    found = [_first_ten(query) for query in questions]
    usual, vector_index.EXACT_UP_TO = vector_index.EXACT_UP_TO, sys.maxsize
    exact = [_first_ten(query) for query in questions]
    vector_index.EXACT_UP_TO = usual
    return sum(len(mine & theirs) / len(theirs) for mine, theirs in zip(found, exact, strict=True)) / len(questions)


def _first_ten(query: Query) -> set[str]:
    return {hit.passage for hit in search(query, PUBLIC, 10).hits}


def _disk() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_table_size('records_searchentry'), pg_indexes_size('records_searchentry')")
        table, indexes = cursor.fetchone() or (0, 0)
    return f"table {table / 1e6:.0f} MB, indexes {indexes / 1e6:.0f} MB"


def _unit(vectors: Vectors) -> Vectors:
    lengths: Vectors = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / lengths
