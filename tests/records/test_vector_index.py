"""The index is made and dropped by size; what it finds is what an exact search finds."""

import math

import pytest
from django.db import connection  # noqa: TID251  # the server's own plan is asked for
from django.test.utils import CaptureQueriesContext

from records import rarity, vector_index
from records.access import PUBLIC, Viewer
from records.models import Access, EmbeddingSpace, SearchEntry
from tests.records.drafts import ask, published, records_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus(monkeypatch):
    monkeypatch.setattr(rarity, "_known", {})  # what an earlier test's corpus was like
    EmbeddingSpace.objects.create(fingerprint="f", embedder="e", dimensions=2, active=True)
    for number in range(12):
        access = Access.PRIVATE if number % 4 == 3 else Access.PUBLIC
        version = published(f"r{number}", "Text.", access=access)
        angle = math.radians(5 * number)
        SearchEntry.objects.filter(record=version.record).update(vector=[math.cos(angle), math.sin(angle)])
    connection.check_constraints()  # what is deferred would keep the index from being made


def is_there():
    with connection.cursor() as cursor:
        constraints = connection.introspection.get_constraints(cursor, "records_searchentry")
    return vector_index.NAME in constraints


def test_it_is_made_only_above_the_size_and_only_once(corpus, monkeypatch):
    vector_index.keep()
    assert not is_there()
    monkeypatch.setattr(vector_index, "EXACT_UP_TO", 5)
    vector_index.keep()
    vector_index.keep()
    assert is_there()
    vector_index.drop()
    vector_index.drop()
    assert not is_there()


def test_both_ways_give_the_same_answers(corpus, monkeypatch):
    exact = ask("?", vector=[1.0, 0.0], k=5)
    monkeypatch.setattr(vector_index, "EXACT_UP_TO", 5)
    vector_index.keep()
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    assert ask("?", vector=[1.0, 0.0], k=5) == exact
    assert records_of(exact) == ["r0", "r1", "r2", "r4", "r5"]


def test_the_public_are_answered_by_the_index_and_staff_exactly(corpus, monkeypatch):
    monkeypatch.setattr(vector_index, "EXACT_UP_TO", 5)
    vector_index.keep()
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    assert vector_index.NAME in plan(PUBLIC)
    assert vector_index.NAME not in plan(Viewer(staff=True))


def plan(viewer):
    """How the server runs the statement of a search."""
    with CaptureQueriesContext(connection) as captured:
        ask("?", viewer, vector=[1.0, 0.0])
    (statement,) = (query["sql"] for query in captured if query["sql"].lstrip().startswith("WITH"))
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {statement}")
        return "\n".join(row[0] for row in cursor.fetchall())
