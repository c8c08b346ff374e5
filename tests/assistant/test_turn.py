"""One turn: which layer decides, what is yielded, what is stored, what is paid for."""

import asyncio
import uuid
from datetime import date

import pytest

from assistant.events import Done, Event, Notice, Refusal, Released
from assistant.models import Conversation, GuardrailEvent, Sentence, Turn
from assistant.question import Exchange, Question
from assistant.turn import answer
from metering.models import Charge, Reservation
from records.models import Owner, Record, RecordText
from records.publishing import publish
from tests.assistant.scripted import CUT, WHOLE, Scripted

pytestmark = pytest.mark.django_db(transaction=True)

GAUGES = (
    "The tide gauge at Holm Quay reports the water level every six minutes. "
    "Its battery lasted 412 days in the winter of 2021. "
    "The mast was repaired by the harbour crew after the storm."
)


@pytest.fixture(autouse=True)
def site():
    """An owner, a job and an article: as little as the layers need."""
    Owner.objects.create(pk=1, name="Livia Aramesh", aliases=["Livia"])
    job = Record.objects.create(
        kind="cv", slug="harbour", start=date(2019, 3, 1), start_precision="month", current=True,
        fields={"organisation": "the Harbour Board", "role": "engineer", "type": "job"},
    )  # fmt: skip
    RecordText.objects.create(record=job, language="en", title="Engineer, Harbour Board", body="Tends the gauges.")
    article = Record.objects.create(kind="article", slug="gauge", start=date(2022, 1, 1), start_precision="year")
    RecordText.objects.create(record=article, language="en", title="A tide gauge in winter", body=GAUGES)
    publish(job)
    publish(article)


async def ask(text: str, *steps, question: Question | None = None) -> list[Event]:
    """All events of one turn, worded by a script where one is given."""
    worded_by = Scripted(*steps) if steps else None
    return [event async for event in answer(question or Question(text, "en"), worded_by)]


GAUGE_QUESTION = "How many days did the battery of the tide gauge at Holm Quay last?"


def texts(events: list[Event]) -> list[str]:
    return [event.text for event in events if isinstance(event, Released)]


class TestRefuseFirst:
    async def test_a_refused_question_makes_no_outside_call(self):
        events = await ask("How much do you charge?")
        assert [type(event) for event in events] == [Refusal, Done]
        assert events[0].reason == "commercial"
        assert not events[-1].embedded
        assert not events[-1].model_called
        assert events[-1].route == "refusal"
        assert not await Reservation.objects.aexists()  # every outside call reserves first

    async def test_a_refusal_is_stored_with_the_pattern_that_fired(self):
        await ask("How much do you charge?")
        stored = await Turn.objects.aget()
        assert (stored.refusal, stored.state) == ("commercial", "done")
        event = await GuardrailEvent.objects.aget()
        assert event.guard == "refusal"
        assert event.detail.startswith("commercial")


class TestRoutes:
    async def test_a_question_about_the_work_as_a_whole_is_answered_from_the_records(self):
        events = await ask("What did she do recently?")
        assert events[-1].route == "records"
        released = [event for event in events if isinstance(event, Released)]
        assert {source.record for event in released for source in event.sources} == {"harbour", "gauge"}
        assert all(source.passage is None for event in released for source in event.sources)
        assert not events[-1].embedded

    async def test_a_question_on_an_article_is_answered_with_sentences_that_cite_it(self):
        events = await ask(GAUGE_QUESTION)
        assert events[-1].route == "search"
        assert any("412 days" in text for text in texts(events))
        for event in events:
            if isinstance(event, Released):
                [source] = event.sources
                assert source.record == "gauge"
                assert source.url == f"/passages/{source.version}/{source.passage}/"

    async def test_an_off_topic_question_falls_under_the_floors_and_asks_no_model(self):
        script = Scripted("It was a draw [1].", WHOLE)
        events = [event async for event in answer(Question("Who won the match?", "en"), script)]
        assert events[0].reason == "no_evidence"
        assert not script.asked


class TestLatch:
    async def test_a_stopped_sentence_is_neither_yielded_nor_stored(self):
        events = await ask(
            GAUGE_QUESTION, "Its battery lasted 412 days [1]. ", "It lasted 500 days in 2022 [1]. ", "More.", WHOLE
        )
        assert texts(events) == ["Its battery lasted 412 days."]
        assert [event.reason for event in events if isinstance(event, Notice)] == ["withheld"]
        assert events[-1].stop == "value"
        assert [sentence.text async for sentence in Sentence.objects.all()] == ["Its battery lasted 412 days."]

    async def test_a_stop_closes_the_provider_at_once(self):
        script = Scripted("We repaired the mast [1]. ", "The ", "rest ", "is ", "never ", "taken. [1]", WHOLE)
        events = [event async for event in answer(Question(GAUGE_QUESTION, "en"), script)]
        assert events[-1].stop == "first_person"
        assert script.closed
        assert script.said <= 2

    async def test_the_token_alone_is_a_refusal_however_it_is_cut(self):
        events = await ask(GAUGE_QUESTION, "<<NOT", "_COV", "ERED>>", WHOLE)
        assert [type(event) for event in events] == [Refusal, Done]
        assert events[0].reason == "not_covered"

    async def test_the_token_after_a_sentence_is_a_notice(self):
        events = await ask(GAUGE_QUESTION, "Its battery lasted 412 days [1]. <<NOT_", "COVERED>>", WHOLE)
        assert texts(events) == ["Its battery lasted 412 days."]
        assert [event.reason for event in events if isinstance(event, Notice)] == ["not_covered"]

    async def test_a_half_sentence_at_the_length_limit_is_dropped_with_its_own_notice(self):
        events = await ask(GAUGE_QUESTION, "Its battery lasted 412 days [1]. It also la", CUT)
        assert texts(events) == ["Its battery lasted 412 days."]
        assert [event.reason for event in events if isinstance(event, Notice)] == ["truncated"]
        assert events[-1].stop is None


class TestFailures:
    async def test_a_provider_that_breaks_leaves_what_was_released_and_a_notice(self):
        events = await ask(GAUGE_QUESTION, "Its battery lasted 412 days [1]. The ", RuntimeError("gone"))
        assert texts(events) == ["Its battery lasted 412 days."]
        assert [event.reason for event in events if isinstance(event, Notice)] == ["unavailable"]
        assert isinstance(events[-1], Done)

    async def test_an_answer_without_an_ending_is_a_failure(self):
        events = await ask(GAUGE_QUESTION, "Its battery lasted 412 days [1]. ")
        assert [event.reason for event in events if isinstance(event, Notice)] == ["unavailable"]

    async def test_a_provider_that_is_too_slow_is_left(self, settings):
        settings.TRAVA = settings.TRAVA.model_copy(update={"TURN_DEADLINE": 1})
        script = Scripted("Its battery lasted 412 days [1]. T", 30.0, WHOLE)
        events = [event async for event in answer(Question(GAUGE_QUESTION, "en"), script)]
        assert texts(events) == ["Its battery lasted 412 days."]
        assert [event.reason for event in events if isinstance(event, Notice)] == ["unavailable"]
        assert script.closed

    async def test_what_was_generated_before_a_break_is_booked(self):
        await ask(GAUGE_QUESTION, "Its battery lasted 412 days [1]. ", RuntimeError("gone"))
        charge = await Charge.objects.filter(reservation__purpose="answer").aget()
        assert not charge.reported
        assert charge.output_tokens > 0
        assert not await Reservation.objects.filter(state="held").aexists()


class TestStopping:
    async def test_a_reader_who_leaves_stops_the_turn_and_keeps_what_was_released(self):
        script = Scripted("Its battery lasted 412 days [1]. T", 30.0, WHOLE)
        turn = answer(Question(GAUGE_QUESTION, "en"), script)
        first = await anext(turn)
        assert first.text == "Its battery lasted 412 days."
        await turn.aclose()
        assert script.closed
        stored = await Turn.objects.aget()
        assert (stored.state, stored.notice) == ("done", "stopped")
        assert not await Reservation.objects.filter(state="held").aexists()

    async def test_a_cancelled_task_is_stored_too(self):
        script = Scripted(30.0, WHOLE)

        async def read() -> None:
            async for _ in answer(Question(GAUGE_QUESTION, "en"), script):
                pass

        task = asyncio.create_task(read())
        while not script.asked:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert script.closed
        assert (await Turn.objects.aget()).notice == "stopped"


class TestIdentity:
    async def test_the_same_turn_twice_is_asked_once_and_told_twice(self):
        question = Question(GAUGE_QUESTION, "en", id=uuid.uuid4(), session="s")
        first = [event async for event in answer(question)]
        again = [event async for event in answer(question)]
        assert texts(first) == texts(again)
        assert await Turn.objects.acount() == 1

    async def test_a_resend_joins_a_turn_that_still_runs(self):
        question = Question(GAUGE_QUESTION, "en", id=uuid.uuid4(), session="s")
        found = asyncio.Event()
        script = Scripted("Its battery lasted 412 days [1]. T", found, "he mast was repaired [1]. ", WHOLE)
        running = asyncio.create_task(_all(question, script))
        while not await Sentence.objects.aexists():
            await asyncio.sleep(0.02)
        joining = answer(question)
        joined = [await anext(joining)]
        found.set()
        joined += [event async for event in joining]
        assert texts(joined) == texts(await running)
        assert len(script.asked) == 1

    async def test_a_turn_of_another_session_is_not_told(self):
        identity = uuid.uuid4()
        await _all(Question(GAUGE_QUESTION, "en", id=identity, session="mine"))
        events = await _all(Question(GAUGE_QUESTION, "en", id=identity, session="yours"))
        assert [type(event) for event in events] == [Notice, Done]
        assert events[0].reason == "invalid"

    async def test_turns_of_one_conversation_are_numbered(self):
        await _all(Question(GAUGE_QUESTION, "en", session="s"))
        conversation = await Conversation.objects.aget()
        await _all(Question("What did she do recently?", "en", session="s", conversation=conversation))
        assert [turn.ordinal async for turn in Turn.objects.order_by("ordinal")] == [1, 2]


class TestFollowUps:
    async def test_a_follow_up_keeps_the_subject_of_the_question_before(self):
        before = Exchange(GAUGE_QUESTION, "Its battery lasted 412 days in the winter of 2021.")
        alone = await _all(Question("And who repaired it?", "en", stored=False))
        joined = await _all(Question("And who repaired it?", "en", stored=False, history=(before,)))
        assert not texts(alone)
        assert joined[-1].best.words > (alone[-1].best.words or 0)


class TestBadInput:
    @pytest.mark.parametrize("text", ["", "   ", "\x00", "\ud800", "x" * 3000])
    async def test_what_cannot_be_asked_gets_a_clear_notice_and_is_not_stored(self, text):
        events = await ask(text)
        assert [type(event) for event in events] == [Notice, Done]
        assert events[0].reason == "invalid"
        assert not await Turn.objects.aexists()

    async def test_what_hides_in_a_question_is_taken_out(self):
        await ask("What did she\x00 do \ud800recently?")
        assert (await Turn.objects.aget()).question == "What did she do recently?"

    async def test_an_unstored_turn_leaves_no_row(self):
        events = await _all(Question("What did she do recently?", "en", stored=False))
        assert texts(events)
        assert events[-1].conversation is None
        assert not await Turn.objects.aexists()


async def _all(question: Question, script: Scripted | None = None) -> list[Event]:
    return [event async for event in answer(question, script)]
