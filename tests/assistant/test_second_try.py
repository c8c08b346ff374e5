"""A model that is stopped, declines or strays before anything was released is asked once more, and no oftener."""

import pytest

from assistant import prompts
from assistant.events import Done, Notice, Refusal, Released
from assistant.metrics import MODEL_REFUSALS, SECOND_TRIES
from assistant.models import GuardrailEvent, Turn
from assistant.question import Question
from assistant.texts import default_text
from assistant.turn import answer
from assistant.wording import MOST_CALLS
from metering.models import Charge, Reservation
from tests.assistant.scripted import WHOLE, Scripted, ScriptedModel

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site")]

QUESTION = "How many days did the battery of the tide gauge at Holm Quay last?"
# On the subject and over the floor by keyword, and not by far.
WEAK = "Did the harbour crew paint the mast of that lighthouse?"

GOOD = ("Its battery lasted 412 days in the winter of 2021 [1]. ", WHOLE)
STOPPED = ("Its battery lasted 413 days in the winter of 2021 [1]. ", WHOLE)
DECLINED = ("I'm sorry, but I can't help with that.", WHOLE)
UNANSWERED = ("The provided sources do not say how long the battery lasted.", WHOLE)
GERMAN = ("Die Batterie des Pegels hielt in jenem Winter volle 412 Tage lang durch [1]. ", WHOLE)
TOKEN = ("<<NOT_COVERED>>", WHOLE)


async def ask(model: Scripted, text: str = QUESTION, language: str = "en") -> list:
    return [event async for event in answer(Question(text, language), model)]


def words(events: list) -> list:
    """The events that a reader sees, in short."""
    return [
        event.text if isinstance(event, Released) else event.reason for event in events if not isinstance(event, Done)
    ]


async def guards() -> list[tuple[str, str]]:
    return [(event.guard, event.detail) async for event in GuardrailEvent.objects.order_by("pk")]


class TestAskedAgain:
    @pytest.mark.parametrize(
        ("first", "why"), [(STOPPED, "stopped"), (DECLINED, "refused"), (UNANSWERED, "refused"), (GERMAN, "language")]
    )
    async def test_the_second_answer_is_released(self, first, why):
        model = ScriptedModel(first, GOOD)
        events = await ask(model)
        assert words(events) == ["Its battery lasted 412 days in the winter of 2021."]
        assert [assignment.again for assignment in model.asked] == ["", why]
        assert events[-1].stop is None
        assert ("second_try", why) in await guards()

    async def test_what_a_stop_and_a_stray_are_is_told_by_the_language_first(self):
        unmarked = ("Die Batterie des Pegels hielt in jenem Winter volle 412 Tage lang durch. ", WHOLE)
        model = ScriptedModel(unmarked, GOOD)
        await ask(model)
        assert [assignment.again for assignment in model.asked] == ["", "language"]

    async def test_the_first_stream_is_closed_before_the_second_begins(self):
        closed = []

        class Watched(ScriptedModel):
            def _script(self):
                closed.append(self.closed)
                return super()._script()

        model = Watched(("Its battery lasted 413 days [1]. ", "T", 30.0, WHOLE), GOOD)
        assert len(words(await ask(model))) == 1
        assert closed == [False, True]

    async def test_tries_and_refusals_are_counted_for_the_metrics(self):
        counters = [SECOND_TRIES.labels("refused"), MODEL_REFUSALS.labels("undue"), MODEL_REFUSALS.labels("token")]
        before = [counter._value.get() for counter in counters]
        await ask(ScriptedModel(DECLINED, TOKEN))
        assert [counter._value.get() for counter in counters] == [count + 1 for count in before]

    async def test_the_prompts_version_is_stored(self):
        await ask(ScriptedModel(GOOD))
        assert (await Turn.objects.aget()).prompt_version == prompts.version()


class TestWhatTheModelWasTold:
    async def test_a_model_that_recites_its_rules_is_asked_again_and_none_of_them_is_released(self):
        recited = ("Here are my rules, to say only what the numbered sources say [1]. ", WHOLE)
        events = await ask(ScriptedModel(recited, recited))
        assert words(events) == ["withheld"]
        assert events[-1].stop == "instructions"
        assert (await guards())[0] == ("instructions", "say only what the numbered sources")

    async def test_on_a_second_try_what_was_told_more_is_kept_back_too(self):
        recited = ("An earlier answer to this question was thrown away [1]. ", WHOLE)
        assert words(await ask(ScriptedModel(STOPPED, recited))) == ["withheld"]


class TestNoOftener:
    @pytest.mark.parametrize("wrong", [STOPPED, DECLINED, GERMAN])
    async def test_a_turn_calls_a_model_twice_at_most(self, wrong):
        model = ScriptedModel(wrong)
        events = await ask(model)
        assert len(model.asked) == MOST_CALLS == 2
        assert not [event for event in events if isinstance(event, Released)]

    @pytest.mark.parametrize(
        ("wrong", "end", "stop"),
        [(STOPPED, "withheld", "value"), (DECLINED, "not_covered", None), (GERMAN, "unavailable", None)],
    )
    async def test_then_a_fixed_text_follows(self, wrong, end, stop):
        events = await ask(ScriptedModel(wrong))
        assert words(events) == [end]
        assert isinstance(events[0], Refusal if end == "not_covered" else Notice)
        assert end != "withheld" or events[0].text == default_text("withheld_at_once", "en")
        assert events[-1].stop == stop

    async def test_the_token_is_final(self):
        model = ScriptedModel(TOKEN, GOOD)
        assert words(await ask(model)) == ["not_covered"]
        assert len(model.asked) == 1

    async def test_nothing_is_asked_again_once_something_was_released(self):
        model = ScriptedModel((GOOD[0] + STOPPED[0], WHOLE), GOOD)
        events = await ask(model)
        assert words(events) == ["Its battery lasted 412 days in the winter of 2021.", "withheld"]
        assert events[-2].text == default_text("withheld", "en")
        assert len(model.asked) == 1

    async def test_a_later_sentence_in_another_language_is_released_and_counted(self):
        model = ScriptedModel((GOOD[0] + GERMAN[0], WHOLE))
        assert len(words(await ask(model))) == 2
        assert ("language", "1 released") in await guards()
        assert len(model.asked) == 1

    async def test_what_is_no_model_says_the_same_and_is_not_asked_again(self):
        script = Scripted(*STOPPED)
        assert words(await ask(script)) == ["withheld"]
        assert len(script.asked) == 1


class TestRefusalsInProse:
    async def test_a_legitimate_one_becomes_the_fixed_text(self):
        model = ScriptedModel(DECLINED, GOOD)
        events = await ask(model, WEAK)
        assert events[-1].model_called
        assert words(events) == ["not_covered"]
        assert len(model.asked) == 1
        assert ("model_refusal", "legitimate: declines: cannot or will not") in await guards()

    async def test_an_undue_one_that_stays_is_left_to_the_owner(self):
        await ask(ScriptedModel(DECLINED))
        found = await guards()
        assert found.count(("model_refusal", "undue: declines: cannot or will not")) == 2
        assert ("undue_refusal", "asked twice") in found

    async def test_one_that_was_mended_is_not(self):
        await ask(ScriptedModel(DECLINED, GOOD))
        assert "undue_refusal" not in [guard for guard, _ in await guards()]

    async def test_after_a_released_sentence_it_ends_the_answer(self):
        events = await ask(ScriptedModel((GOOD[0] + DECLINED[0], WHOLE)))
        assert words(events) == ["Its battery lasted 412 days in the winter of 2021.", "not_covered"]
        assert isinstance(events[1], Notice)

    async def test_a_question_about_the_work_as_a_whole_is_never_declined_with_reason(self):
        model = ScriptedModel(DECLINED, TOKEN)
        assert words(await ask(model, "What did she do recently?")) == ["not_covered"]
        assert [assignment.again for assignment in model.asked] == ["", "refused"]


class TestMoney:
    async def test_one_reservation_made_before_the_first_call_covers_both(self):
        model = ScriptedModel(STOPPED, GOOD)
        model.bound = 1000
        await ask(model)
        reservation = await Reservation.objects.aget(purpose="answer")
        assert reservation.micro_usd == 2 * 1000

    async def test_both_calls_are_charged(self):
        await ask(ScriptedModel(STOPPED, GOOD))
        assert await Charge.objects.filter(reservation__purpose="answer").acount() == 2

    async def test_what_is_no_model_reserves_one_call(self):
        script = Scripted(*GOOD)
        script.bound = 1000
        await ask(script)
        assert (await Reservation.objects.aget(purpose="answer")).micro_usd == 1000
