"""Visits to the database: many at once, on connections that are kept while they work and given back when they fail."""

import asyncio
import threading

import psycopg
import pytest
from django.db import OperationalError, connections

from assistant import database
from assistant.database import in_database, in_search
from records.models import Owner
from tests.assistant.live_site import database_of_this_run

pytestmark = pytest.mark.django_db(transaction=True)


def backend() -> int:
    """The server's process behind this thread's connection."""
    connections["default"].ensure_connection()
    return int(connections["default"].connection.info.backend_pid)


def end(*backends: int) -> None:
    with psycopg.connect(database_of_this_run(), dbname="postgres", autocommit=True) as server:
        for pid in backends:
            server.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])


async def all_at_once(run) -> set[int]:
    """The backends of as many visits as there are threads, each of which waits until all have come."""
    together = threading.Barrier(database.THREADS)

    def visit() -> int:
        together.wait(30)
        return backend()

    return set(await asyncio.gather(*(run(visit) for _ in range(database.THREADS))))


async def test_statements_run_on_as_many_connections_as_there_are_threads():
    assert len(await all_at_once(in_database)) == database.THREADS


async def test_a_visit_is_answered_while_every_searching_thread_waits():
    gate = threading.Event()
    waiting = [asyncio.ensure_future(in_search(gate.wait)) for _ in range(database.SEARCHING_THREADS)]
    try:
        assert await asyncio.wait_for(in_database(Owner.objects.count), 30) == 0
    finally:
        gate.set()
        await asyncio.gather(*waiting)


async def test_a_thread_keeps_its_connection_while_it_is_in_use(monkeypatch):
    before = await all_at_once(in_database)
    monkeypatch.setattr(database, "TRUSTED", 3600.0)
    assert await all_at_once(in_database) == before


async def test_after_a_pause_a_connection_that_the_server_closed_is_replaced_unseen(monkeypatch):
    before = await all_at_once(in_database)
    await asyncio.to_thread(end, *before)
    monkeypatch.setattr(database, "TRUSTED", 0.0)  # any pause is long enough
    assert not before & await all_at_once(in_database)


async def test_one_failure_makes_every_thread_ask_for_a_connection_that_lives(monkeypatch):
    before = await all_at_once(in_database)
    monkeypatch.setattr(database, "TRUSTED", 3600.0)
    await asyncio.to_thread(end, *before)
    with pytest.raises(OperationalError):
        await in_database(Owner.objects.count)
    assert not before & await all_at_once(in_database)
