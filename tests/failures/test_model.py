"""A model that fails: the reader gets a text of ours, the turn is stored as it ended, and what came is paid."""

import re
import uuid
from dataclasses import dataclass, replace

import pytest

from assistant.events import Done, Notice, Released
from assistant.models import GuardrailEvent, Turn
from assistant.question import Question
from assistant.texts import notice_text
from assistant.turn import answer
from metering.models import Charge, ModelPrice, Reservation
from records.models import Alert
from tests.assistant.hosted_model import hosted
from tests.assistant.socket_client import Socket
from tests.metering.transports.chats import PATIENCE
from tests.model_scripts import CUT, HANG, Answer, Raw, fail, say
from tests.model_server import ModelServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site", "fresh_limits")]

QUESTION = "gauge battery"  # two words: answered in the page's language
IMPATIENT = replace(PATIENCE, first_byte=1.0, between=1.0)
SENTENCE = "Its battery lasted 412 days in the winter of 2021 [1]. "


@dataclass(frozen=True)
class Failure:
    """What the model does, what kind that is, and whether anything is charged, the owner told, a sentence shown."""

    answer: Answer
    kind: str
    charged: bool
    told: bool
    released: bool = False


FAILURES = {
    "refuses the key": Failure(fail(401, "authentication_error"), "key", charged=False, told=True),
    "has a limit": Failure(fail(429, "rate_limit_error"), "rate_limited", charged=False, told=False),
    "is overloaded": Failure(fail(529, "overloaded_error"), "overloaded", charged=False, told=False),
    "refuses the request": Failure(fail(400, "invalid_request_error"), "rejected", charged=False, told=True),
    "never begins": Failure(Answer(hang=True), "slow", charged=True, told=False),
    "falls silent": Failure(say(SENTENCE, "The", HANG), "slow", charged=True, told=False, released=True),
    "speaks no protocol": Failure(say(Raw(b"data: {oops\n\n")), "malformed", charged=True, told=True),
    "breaks off": Failure(say(SENTENCE, "The mast", CUT), "cut", charged=True, told=False, released=True),
}
# Each failure in another reader's language; that every text exists in all ten is tests/config/test_messages.py's.
LANGUAGES = ("fa", "ar", "es", "pt", "fr", "de", "ru", "hi")


@pytest.fixture
def server():
    with ModelServer() as running:
        yield running


async def ask(language: str = "en", text: str = QUESTION) -> list:
    return [event async for event in answer(Question(text, language, session="s"))]


def notices(events: list) -> list[Notice]:
    return [event for event in events if isinstance(event, Notice)]


@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
@pytest.mark.parametrize(("name", "language"), list(zip(FAILURES, LANGUAGES, strict=True)))
async def test_a_failing_model(server, monkeypatch, protocol, name, language):
    failure = FAILURES[name]
    server.will_say(failure.answer)
    spoken = "en" if failure.released else language
    async with hosted(server, monkeypatch, protocol, patience=IMPATIENT):
        events = await ask(spoken)
    [notice] = notices(events)
    assert (notice.reason, notice.text) == ("unavailable", notice_text("unavailable", spoken))
    assert any(isinstance(event, Released) for event in events) == failure.released
    assert isinstance(events[-1], Done)

    turn = await Turn.objects.aget()
    assert (turn.state, turn.notice, turn.stop, turn.language) == ("done", "unavailable", "", spoken)
    assert await turn.sentences.acount() == failure.released
    guards = [(event.guard, event.detail) async for event in GuardrailEvent.objects.all()]
    assert ("model", failure.kind) in guards

    assert not await Reservation.objects.filter(state="held").aexists()
    assert (turn.cost_microusd > 0) == failure.charged
    assert [charge.micro_usd async for charge in Charge.objects.all()] == [turn.cost_microusd]

    assert await Alert.objects.filter(key="model", closed_at=None).aexists() == failure.told


async def test_a_model_that_is_not_there(monkeypatch):
    with ModelServer() as gone:
        pass
    async with hosted(gone, monkeypatch, patience=IMPATIENT):
        events = await ask("zh")
    assert [notice.text for notice in notices(events)] == [notice_text("unavailable", "zh")]
    assert (await Turn.objects.aget()).cost_microusd == 0
    assert await Alert.objects.filter(key="model", closed_at=None).aexists()


async def test_a_model_without_a_price_is_not_called(server, monkeypatch):
    async with hosted(server, monkeypatch):
        await ModelPrice.objects.all().adelete()
        events = await ask("es")
    assert [notice.text for notice in notices(events)] == [notice_text("unavailable", "es")]
    assert not server.calls
    assert not await Reservation.objects.aexists()
    assert "no price" in (await Alert.objects.aget(closed_at=None)).text


async def test_the_alert_is_taken_back_when_the_model_answers_again(server, monkeypatch):
    server.will_say(fail(401, "authentication_error"), say(SENTENCE))
    async with hosted(server, monkeypatch):
        await ask()
        assert await Alert.objects.filter(closed_at=None).aexists()
        assert not notices(await ask())
    assert not await Alert.objects.filter(closed_at=None).aexists()


async def test_the_reader_at_the_socket_sees_the_text_and_no_trace_of_the_fault(server, monkeypatch):
    server.will_say(fail(401, "authentication_error"))
    async with hosted(server, monkeypatch), Socket() as socket:
        html = await socket.ask(QUESTION, lang="fa", turn=str(uuid.uuid4()))
    assert notice_text("unavailable", "fa") in html
    for word in ("401", "authentication", "Traceback", "Error"):
        assert not re.search(rf"\b{word}\b", html)  # as a word: an id may hold any digits
