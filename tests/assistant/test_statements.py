"""What a turn costs the database: counted in statements, on whatever thread they run."""

import re
import threading
import uuid
from collections import Counter
from collections.abc import Iterator

import pytest
from django.db.backends.utils import CursorWrapper

from assistant.database import in_database
from records.embedding import embed_version
from records.models import RecordVersion
from tests.assistant.hosted_model import hosted
from tests.assistant.socket_client import Socket
from tests.model_scripts import say
from tests.model_server import ModelServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site", "fresh_limits")]

QUESTION = "How many days did the battery of the tide gauge at Holm Quay last?"
SAID = (
    "Its battery lasted 412 days in the winter of 2021 [1]. ",
    "The mast was repaired by the harbour crew after the storm [1]. ",
    "The tide gauge reports the water level every six minutes [1]. ",
    "It stands at Holm Quay [1]. ",
)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture
def statements(monkeypatch) -> Counter[str]:
    """Statements so far, by the kind of thread that ran them."""
    counted: Counter[str] = Counter()
    execute = CursorWrapper._execute

    def counting(cursor, *call):
        counted[threading.current_thread().name.rpartition("_")[0]] += 1
        return execute(cursor, *call)

    monkeypatch.setattr(CursorWrapper, "_execute", counting)
    return counted


def embed_everything() -> None:
    for version in RecordVersion.objects.all():
        embed_version(version.pk, lambda: None)


async def asked(socket: Socket, statements: Counter[str], sentences: int, **fields: str) -> tuple[int, str]:
    """Ask, and return how many statements that took, and the page's fragments."""
    before = statements.total()
    page = await socket.ask(f"{QUESTION} {uuid.uuid4().int % 997}?", **fields)
    assert page.count('class="sentence') == sentences
    return statements.total() - before, page


async def test_a_sentence_more_is_one_statement_more_and_a_turn_stays_below_its_ceiling(
    server, monkeypatch, statements
):
    await in_database(embed_everything)
    server.will_say(*(say(*(SAID * 2)[:count]) for count in (1, 4, 8)))
    async with hosted(server, monkeypatch), Socket() as socket:
        await asked(socket, statements, 1)  # what a process asks once
        four, _page = await asked(socket, statements, 4)
        eight, _page = await asked(socket, statements, 8)
    assert eight - four == 4
    assert eight <= 48


async def test_later_questions_of_a_conversation_cost_what_the_second_did(server, monkeypatch, statements):
    server.will_say(*(say(*SAID[:2]) for _ in range(6)))
    costs, conversation = [], {}
    async with hosted(server, monkeypatch), Socket() as socket:
        for _ in range(6):
            cost, page = await asked(socket, statements, 2, **conversation)
            costs.append(cost)
            conversation = {"conversation": re.search(r'name="conversation" value="([^"]+)"', page)[1]}
    assert set(costs[2:]) == {costs[1]}


async def test_no_statement_runs_on_the_one_thread_that_django_would_use(server, monkeypatch, statements):
    server.will_say(say(*SAID))
    async with hosted(server, monkeypatch), Socket() as socket:
        statements.clear()
        await asked(socket, statements, 4)
    assert set(statements) == {"orm", "orm-search"}
