"""Visits to the database: many at once, each on a connection that it gives back."""

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
        pid = backend()
        together.wait(30)  # nobody gives theirs back before all have one
        return pid

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


async def test_a_visit_gives_its_connection_back_even_when_it_fails():
    def fail() -> None:
        backend()
        raise OperationalError

    with pytest.raises(OperationalError):
        await in_database(fail)
    held = await asyncio.gather(*(in_database(lambda: connections["default"].connection) for _ in range(8)))
    assert held == [None] * 8


async def test_after_the_server_ended_them_all_the_next_visit_is_answered():
    before = await all_at_once(in_database)
    await asyncio.to_thread(end, *before)
    assert not before & await all_at_once(in_database)
