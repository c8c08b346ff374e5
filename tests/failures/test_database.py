"""PostgreSQL goes in the middle of an answer, or before it: a text, no further cost, and back without a restart."""

import asyncio
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event

import psycopg
import pytest
from asgiref.sync import SyncToAsync
from django.db import connections
from psycopg import sql

from assistant.database import in_database
from assistant.events import Done, Notice, Released
from assistant.question import Question
from assistant.texts import notice_text
from assistant.turn import answer
from metering import ledger
from metering.models import Charge, Reservation
from tests.assistant.hosted_model import hosted
from tests.assistant.live_site import database_of_this_run
from tests.assistant.socket_client import DECLINED, FINISHED, Socket
from tests.model_scripts import say
from tests.model_server import ModelServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site", "fresh_limits")]

QUESTION = "gauge battery"  # two words: answered in the page's language
FIRST = "Its battery lasted 412 days in the winter of 2021 [1]. "
GERMAN, HINDI = "Die Batterie hielt 412 Tage [1]. ", "बैटरी 412 दिन चली [1]। "
SECOND = "The mast was repaired by the harbour crew after the storm [1]. "
THIRD = "The tide gauge reports the water level every six minutes [1]. "


class Database:
    """The test's own database, which lets nobody in while it is gone."""

    def __init__(self) -> None:
        self._name = connections["default"].settings_dict["NAME"]
        self._server = psycopg.connect(database_of_this_run(), dbname="postgres", autocommit=True)

    def go(self) -> None:
        self._let_in(False)
        self._server.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [self._name])

    def come_back(self) -> None:
        self._let_in(True)
        # What the test itself held is broken; the site's own pool has to find its way back.
        connections.close_all()
        SyncToAsync.single_thread_executor.submit(connections.close_all).result()

    def close(self) -> None:
        self.come_back()
        self._server.close()

    def _let_in(self, wanted: bool) -> None:
        statement = "ALTER DATABASE {} WITH ALLOW_CONNECTIONS {}"
        self._server.execute(sql.SQL(statement).format(sql.Identifier(self._name), sql.Literal(wanted)))


@pytest.fixture
def database() -> Iterator[Database]:
    found = Database()
    yield found
    found.close()


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@contextmanager
def gone(database: Database) -> Iterator[None]:
    database.go()
    try:
        yield
    finally:
        database.come_back()


async def answers_again() -> None:
    """The very next question is answered, though the pool holds connections that the server has ended."""
    events = [event async for event in answer(Question(QUESTION, "en"))]
    assert [type(event) for event in events] == [Released, Done]


async def test_it_goes_in_the_middle_of_an_answer(server, monkeypatch, database):
    away = Event()
    server.will_say(say(GERMAN + SECOND[:3], away, SECOND[3:] + THIRD[:3], 60.0, THIRD[3:]), say(FIRST))
    async with hosted(server, monkeypatch):
        turn = answer(Question(QUESTION, "de", session="s"))
        events = [await anext(turn)]
        with gone(database):
            away.set()
            events += [event async for event in turn]
            await asyncio.to_thread(server.calls[0].wait_closed)
        assert [type(event) for event in events] == [Released, Notice, Done]
        assert events[1].text == notice_text("unavailable", "de")
        assert events[0].text == "Die Batterie hielt 412 Tage."
        await answers_again()

    # What could not be settled meanwhile stays reserved and is charged past its deadline: more than that it never is.
    cut = await Reservation.objects.filter(purpose="answer").order_by("created_at").afirst()
    await Reservation.objects.filter(pk=cut.pk).aupdate(deadline="2020-01-01T00:00Z")
    await in_database(ledger.expire_overdue)
    charged = [charge.micro_usd async for charge in Charge.objects.filter(reservation=cut)]
    await cut.arefresh_from_db()
    assert (cut.state, charged) == ("expired", []) or (cut.state == "settled" and charged[0] <= cut.micro_usd)


async def test_it_goes_under_a_reader_at_the_socket(server, monkeypatch, database):
    away = Event()
    server.will_say(say(HINDI + SECOND[:3], away, SECOND[3:] + THIRD[:3], 60.0, THIRD[3:]))
    async with hosted(server, monkeypatch), Socket() as socket:
        await socket.send(question=QUESTION, lang="hi", turn=str(uuid.uuid4()))
        await socket.until("412 दिन")
        with gone(database):
            away.set()
            html = await socket.until(FINISHED, DECLINED, seconds=60)
            assert notice_text("unavailable", "hi") in html
            await asyncio.to_thread(server.calls[0].wait_closed)
            await socket.send(question=QUESTION, lang="ru", turn=str(uuid.uuid4()))
            assert notice_text("unavailable", "ru") in await socket.until(DECLINED, seconds=60)
            assert len(server.calls) == 1


async def test_it_is_gone_when_the_question_comes(server, monkeypatch, database):
    async with hosted(server, monkeypatch):
        with gone(database):
            events = [event async for event in answer(Question(QUESTION, "ar", session="s"))]
        assert [type(event) for event in events] == [Notice, Done]
        assert events[0].text == notice_text("unavailable", "ar")
        assert not server.calls
        await answers_again()
