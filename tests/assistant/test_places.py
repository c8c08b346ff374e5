"""A place is taken before anything is awaited, and is free again however the question ends."""

import asyncio
import gc
import json

import pytest

from assistant.asking import Declined, admit, ask
from assistant.events import Done, Notice, Released
from assistant.models import Turn
from assistant.places import AN_ADDRESS, Places, places
from assistant.visitors import Visitor
from records.access import PUBLIC
from tests.assistant.scripted import WHOLE
from tests.assistant.socket_client import Socket

FIRST = "Its battery lasted 412 days [1]. T"
QUESTION = "How many days did the battery of the tide gauge at Holm Quay last?"


def visitor(address: str = "192.0.2.1") -> Visitor:
    return Visitor(buckets=(address,), session="", viewer=PUBLIC)


def asked(address: str = "192.0.2.1"):
    return admit({"question": QUESTION, "lang": "en"}, visitor(address), "api")


class TestPlaces:
    async def test_so_many_at_once_and_each_is_given_back(self, settings):
        settings.TRAVA = settings.TRAVA.model_copy(update={"MAX_STREAMS": 2})
        room = Places()
        with room.enter(), room.enter():
            assert room.enter() is None
        with room.enter():
            assert len(room) == 1
        assert not len(room)

    async def test_one_address_has_its_bound_and_others_go_on(self):
        room = Places()
        held = [room.enter(["192.0.2.1"]) for _ in range(AN_ADDRESS + 1)]
        assert [place is None for place in held] == [False] * AN_ADDRESS + [True]
        assert room.enter(["192.0.2.2"])
        held[0].leave()
        assert room.enter(["192.0.2.1"])

    async def test_one_in_which_nothing_began_is_free_after_a_while_though_somebody_holds_it(self, monkeypatch):
        monkeypatch.setattr("assistant.places.UNCLAIMED", 0.01)
        room = Places()
        held = room.enter(["192.0.2.1"])
        while len(room):
            await asyncio.sleep(0.01)
        with held:
            assert len(room) == 1  # who comes late after all is counted
        assert not len(room)

    async def test_one_in_which_an_answer_streams_does_not_lapse(self, monkeypatch):
        monkeypatch.setattr("assistant.places.UNCLAIMED", 0.01)
        room = Places()
        with room.enter():
            await asyncio.sleep(0.1)
            assert len(room) == 1

    async def test_one_that_nobody_holds_any_more_is_free(self):
        room = Places()
        room.enter(["192.0.2.1"])
        gc.collect()
        assert not len(room)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("small_site", "fresh_limits")
class TestAdmitting:
    async def test_questions_at_once_of_one_address_do_not_pass_together(self, settings):
        settings.TRAVA = settings.TRAVA.model_copy(update={"RATE_LIMITS": "1000/minute"})
        outcomes = await asyncio.gather(*(asked() for _ in range(20)), return_exceptions=True)
        turned_away = [outcome for outcome in outcomes if isinstance(outcome, Declined)]
        assert len(outcomes) - len(turned_away) == AN_ADDRESS
        assert {refused.notice.reason for refused in turned_away} == {"busy"}
        with (await asked("192.0.2.2")).place:
            assert len(places) == AN_ADDRESS + 1
        for outcome in outcomes:
            if not isinstance(outcome, Declined):
                outcome.place.leave()

    async def test_a_question_that_is_declined_leaves_its_place(self, settings):
        settings.TRAVA = settings.TRAVA.model_copy(update={"RATE_LIMITS": "1/minute"})
        with (await asked()).place, pytest.raises(Declined) as refused:
            await asked()
        assert refused.value.notice.reason == "rate_limited"
        assert not len(places)

    async def test_the_reader_is_told_in_words(self, settings):
        settings.TRAVA = settings.TRAVA.model_copy(update={"MAX_STREAMS": 1})
        with places.enter(), pytest.raises(Declined) as refused:
            await asked()
        assert refused.value.notice.text.startswith("Many readers are asking")
        assert refused.value.retry_after


@pytest.fixture
def closing(monkeypatch):
    """Let the process be on its way out for this test, with so many seconds' grace."""

    async def drain(grace: float) -> None:
        monkeypatch.setattr("assistant.places.GRACE", grace)
        await places.drain()

    yield drain
    places._closing = False


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("small_site", "fresh_limits")
class TestTheEndOfTheProcess:
    async def test_an_answer_finishes_within_the_grace_and_nothing_new_begins(self, closing, worded_by):
        closed = asyncio.Event()
        worded_by(FIRST, closed, "he mast was repaired by the harbour crew [1].", WHOLE)
        question = await asked()
        answer = asyncio.create_task(_events(question))
        await asyncio.sleep(0)
        draining = asyncio.create_task(closing(30.0))
        await asyncio.sleep(0)
        with pytest.raises(Declined) as refused:
            await asked()
        assert refused.value.notice.reason == "busy"
        closed.set()
        events = await answer
        await draining
        assert [type(event) for event in events] == [Released, Released, Done]

    async def test_what_does_not_finish_is_stopped_stored_and_told(self, closing, worded_by):
        script = worded_by(FIRST, 60.0, WHOLE)
        question = await asked()
        answer = asyncio.create_task(_events(question))
        await _released()
        await closing(0.0)
        released, notice, done = await answer
        assert (type(released), notice.reason, type(done)) == (Released, "stopped", Done)
        assert done.conversation
        assert script.closed
        assert await Turn.objects.filter(state="done", notice="stopped").aexists()

    async def test_the_page_is_told_over_its_socket(self, closing, worded_by):
        worded_by(FIRST, 60.0, WHOLE)
        async with Socket() as socket:
            await socket.send(question=QUESTION, lang="en")
            await socket.until("412 days")
            await closing(0.0)
            html = await socket.until_end()
        assert 'data-reason="stopped"' in html
        assert 'name="conversation" value="' in html

    async def test_a_program_is_told_in_its_stream(self, closing, worded_by, browser_client):
        worded_by(FIRST, 60.0, WHOLE)
        response = await browser_client.post(
            "/api/ask",
            json.dumps({"question": QUESTION, "lang": "en"}),
            content_type="application/json",
            headers={"Origin": "http://testserver"},
        )
        reading = asyncio.create_task(_parts(response))
        await _released()
        await closing(0.0)
        body = await reading
        assert body.index("event: sentence") < body.index('"reason": "stopped"') < body.index("event: done")

    async def test_a_reader_who_left_is_told_nothing(self, worded_by):
        worded_by(FIRST, 60.0, WHOLE)
        answer = asyncio.create_task(_events(await asked()))
        await _released()
        answer.cancel()
        with pytest.raises(asyncio.CancelledError):
            await answer
        assert not len(places)


async def _events(question) -> list[Released | Notice | Done]:
    return [event async for event in ask(question)]


async def _parts(response) -> str:
    return "".join([part.decode() async for part in response])


async def _released() -> None:
    """Wait until the first sentence is out."""
    async with asyncio.timeout(30):
        while not await Turn.objects.filter(sentences__ordinal=1).aexists():
            await asyncio.sleep(0.02)
