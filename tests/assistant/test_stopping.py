"""Nothing is generated for nobody: who stops, leaves or is stopped closes the model's stream, and what came is paid."""

import asyncio
import uuid
from itertools import takewhile

import pytest

from assistant.events import Notice, Released
from assistant.models import Turn
from assistant.question import Question
from assistant.turn import answer
from metering.models import Charge, Reservation, SpendMonth
from metering.transports.charging import OVERHEAD_TOKENS
from tests.assistant.hosted_model import MICRO_USD_PER_TOKEN, hosted
from tests.assistant.socket_client import FINISHED, Socket
from tests.model_scripts import Answer, Figures, Thought, anthropic_stream, openai_stream, say
from tests.model_server import ModelServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site", "fresh_limits")]

QUESTION = "How many days did the battery of the tide gauge at Holm Quay last?"
GOOD = [
    "Its battery lasted 412 days in the winter of 2021 [1]. ",
    "The mast was repaired by the harbour crew after the storm [1]. ",
]
WRONG = "The gauge reports the water level every 9 minutes [1]. "
REST = [f"The mast was repaired by the harbour crew after the storm, for the {n}th time [1]. " for n in range(4, 13)]
# What follows the violation comes after a pause that the test does not wait for.
TWELVE = [*GOOD, WRONG, REST[0][:8], 60.0, REST[0][8:], *REST[1:]]
STREAMS = {"openai": openai_stream, "anthropic": anthropic_stream}


@pytest.fixture
def server():
    with ModelServer() as running:
        yield running


def bytes_before_the_pause(protocol: str, answer: Answer) -> int:
    return sum(len(step) for step in takewhile(lambda step: isinstance(step, bytes), STREAMS[protocol](answer)))


async def nothing_held() -> bool:
    return not await Reservation.objects.filter(state="held").aexists()


async def left(server: ModelServer) -> None:
    """Wait until the server has seen the connection closed."""
    while not server.calls or not await asyncio.to_thread(server.calls[-1].done.wait, 10):
        await asyncio.sleep(0.01)
    assert server.calls[-1].closed_at is not None


@pytest.mark.parametrize("protocol", STREAMS)
class TestAViolationInTheThirdOfTwelveSentences:
    async def test_the_stream_is_closed_and_nothing_that_follows_was_sent(self, server, monkeypatch, protocol):
        server.will_say(say(*TWELVE, usage=Figures(900, 300)))
        async with hosted(server, monkeypatch, protocol):
            events = [event async for event in answer(Question(QUESTION, "en"))]
            await left(server)
        assert [event.text for event in events if isinstance(event, Released)] == [
            sentence.replace(" [1]. ", ".") for sentence in GOOD
        ]
        assert [event.reason for event in events if isinstance(event, Notice)] == ["withheld"]
        [call] = server.calls
        assert call.sent == bytes_before_the_pause(protocol, say(*TWELVE, usage=Figures(900, 300)))

    async def test_nothing_after_it_reaches_the_socket(self, server, monkeypatch, protocol):
        server.will_say(say(*TWELVE))
        async with hosted(server, monkeypatch, protocol), Socket() as socket:
            html = await socket.ask(QUESTION)
            await left(server)
        assert "412 days" in html
        assert "9 minutes" not in html
        assert "th time" not in html
        assert 'data-reason="withheld"' in html

    async def test_what_arrived_is_charged_and_nothing_stays_held(self, server, monkeypatch, protocol):
        server.will_say(say(*TWELVE, usage=Figures(900, 300)))
        async with hosted(server, monkeypatch, protocol):
            events = [event async for event in answer(Question(QUESTION, "en"))]
        charge = await Charge.objects.aget()
        arrived = sum(len(step.encode()) for step in takewhile(lambda step: isinstance(step, str), TWELVE))
        assert charge.output_tokens == arrived
        assert not charge.reported
        assert (charge.input_tokens == 900) == (protocol == "anthropic")  # which tells it at the beginning
        assert events[-1].cost_microusd == charge.micro_usd < (await Reservation.objects.aget()).micro_usd
        assert await nothing_held()


async def leaves_the_socket(server) -> None:
    async with Socket() as socket:
        await socket.send(question=QUESTION, lang="en", turn=str(uuid.uuid4()))
        await socket.until("412 days")


async def presses_stop(server) -> None:
    async with Socket() as socket:
        await socket.send(question=QUESTION, lang="en", turn=str(uuid.uuid4()))
        await socket.until("412 days")
        await socket.send(stop="1")
        assert 'data-reason="stopped"' in await socket.until(FINISHED)


async def drops_the_events(server) -> None:
    events = answer(Question(QUESTION, "en", session="s"))
    async for _ in events:
        break
    await events.aclose()


async def is_cancelled(server) -> None:
    async def read() -> None:
        async for _ in answer(Question(QUESTION, "en")):
            pass

    task = asyncio.create_task(read())
    while not server.calls:
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.parametrize("protocol", STREAMS)
@pytest.mark.parametrize("leaves", [leaves_the_socket, presses_stop, drops_the_events, is_cancelled])
async def test_whoever_leaves_is_not_generated_for(server, monkeypatch, protocol, leaves):
    answer_of_the_model = say(GOOD[0], GOOD[1][:3], 60.0, GOOD[1][3:])
    server.will_say(answer_of_the_model)
    async with hosted(server, monkeypatch, protocol):
        await leaves(server)
        await left(server)
    [call] = server.calls
    assert call.sent <= bytes_before_the_pause(protocol, answer_of_the_model)
    turn = await Turn.objects.aget()
    assert (turn.state, turn.notice, turn.model_called) == ("done", "stopped", True)
    assert await nothing_held()
    assert turn.cost_microusd == (await Charge.objects.aget()).micro_usd > 0


async def test_a_form_that_is_aborted_closes_the_stream(server, monkeypatch, async_client):
    server.will_say(say(GOOD[0], GOOD[1][:3], 60.0, GOOD[1][3:]))
    async with hosted(server, monkeypatch):
        sending = asyncio.create_task(
            async_client.post("/en/chat/", {"question": QUESTION, "lang": "en", "turn": str(uuid.uuid4())})
        )
        while not server.calls:
            await asyncio.sleep(0.01)
        sending.cancel()
        await asyncio.wait({sending})
        await left(server)
    assert (await Turn.objects.aget()).notice == "stopped"
    assert await nothing_held()


async def test_the_deadline_closes_the_stream(server, monkeypatch, settings):
    settings.TRAVA = settings.TRAVA.model_copy(update={"TURN_DEADLINE": 5})
    server.will_say(say(GOOD[0], GOOD[1][:3], 60.0, GOOD[1][3:]))
    async with hosted(server, monkeypatch):
        events = [event async for event in answer(Question(QUESTION, "en"))]
        await left(server)
    assert [event.reason for event in events if isinstance(event, Notice)] == ["unavailable"]
    assert await nothing_held()


WHOLE = "".join(GOOD)


@pytest.mark.parametrize(
    ("usage", "thoughts", "reasoning_tokens", "charged"),
    [
        pytest.param(Figures(900, 60), 0, 0, (900, 60, 0, 0, True), id="reported"),
        pytest.param(None, 0, 0, (None, len(WHOLE), 0, 0, False), id="none"),
        pytest.param(Figures(input=900), 0, 0, (900, len(WHOLE), 0, 0, False), id="partial"),
        pytest.param(Figures(900, 260, 200), 3, 500, (900, 260, 200, 0, True), id="reasoning"),
        pytest.param(None, 3, 500, (None, len(WHOLE) + 500, 500, 0, False), id="reasoning, not reported"),
        pytest.param(Figures(900, 60, cached=800), 0, 0, (900, 60, 0, 800, True), id="cached"),
    ],
)
async def test_the_ledger_holds_what_was_reported_and_bounds_for_the_rest(
    server, monkeypatch, usage, thoughts, reasoning_tokens, charged
):
    server.will_say(say(*[Thought("Snow. ")] * thoughts, *GOOD, usage=usage))
    async with hosted(server, monkeypatch, reasoning_tokens=reasoning_tokens):
        events = [event async for event in answer(Question(QUESTION, "en"))]
    assert len([event for event in events if isinstance(event, Released)]) == 2
    charge = await Charge.objects.aget()
    figures = charge.input_tokens, charge.output_tokens, charge.reasoning_tokens, charge.cached_tokens, charge.reported
    bound = sum(len(message["content"].encode()) for message in server.calls[0].body["messages"]) + OVERHEAD_TOKENS
    assert figures == (charged[0] or bound, *charged[1:])
    micro_usd = (
        MICRO_USD_PER_TOKEN["input"] * charge.input_tokens + MICRO_USD_PER_TOKEN["output"] * charge.output_tokens
    )
    assert events[-1].cost_microusd == charge.micro_usd == micro_usd
    month = await SpendMonth.objects.aget()
    assert (month.settled_micro_usd, month.reserved_micro_usd) == (micro_usd, 0)
