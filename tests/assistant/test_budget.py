"""The cap in a whole turn: what isn't allowed isn't called, search goes on by keyword, and the reader gets a text."""

import asyncio
from datetime import date

import pytest

from assistant import visitors
from assistant.conversations import open_signed
from assistant.events import Done, Notice, Released
from assistant.models import GuardrailEvent, Turn
from assistant.providers import Finish
from assistant.question import Question
from assistant.texts import notice_text
from assistant.turn import answer
from metering import caps, ledger
from metering.embedders import embedder
from metering.models import Charge, ModelPrice, Reservation, SpendCap, SpendMonth, SpendShare
from metering.prices import Usage, price_of
from records.access import PUBLIC
from records.embedding import embed_version
from records.models import RecordVersion
from tests.assistant.scripted import Scripted

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site")]
QUESTION = "How many days did the battery of the tide gauge at Holm Quay last?"
MODEL, BOUND = "m-1", 1000
WHOLE = ("Its battery lasted 412 days [1]. ",)


class Priced(Scripted):
    """A scripted model that costs a micro-USD for each token it says."""

    name = MODEL

    def bound_micro_usd(self, assignment) -> int:
        return price_of(MODEL).bound(BOUND, 0)

    def usage_of_cut(self, assignment, received) -> Usage:
        return Usage(MODEL, BOUND, 0, reported=False)


def model(tokens: int = 30) -> Priced:
    return Priced(*WHOLE, Finish("stop", Usage(MODEL, tokens, 0)))


@pytest.fixture
def price():
    ModelPrice.objects.create(
        model=MODEL, valid_from=date(2020, 1, 1), input_micro_usd_per_mtok=1_000_000, output_micro_usd_per_mtok=0
    )


@pytest.fixture
def cap():
    def lower(micro_usd: int, **percents: int) -> None:
        SpendCap.objects.create(micro_usd=micro_usd, **percents)

    return lower


@pytest.fixture
def paid_embedder(monkeypatch):
    """Let the embedder cost something, as one that runs elsewhere does; the site's passages have their vectors."""
    for version in RecordVersion.objects.filter(retired_at=None):
        embed_version(version.pk, lambda: None)
    monkeypatch.setattr("metering.prices.runs_here", lambda name: name == "quoting")
    ModelPrice.objects.create(
        model=embedder().name, valid_from=date(2020, 1, 1), input_micro_usd_per_mtok=10**8, output_micro_usd_per_mtok=0
    )


def ask(worded_by=None, question: Question | None = None) -> list:
    async def events() -> list:
        return [event async for event in answer(question or Question(QUESTION, "en"), worded_by or model())]

    return asyncio.run(events())


def notices(events) -> list[str]:
    return [event.reason for event in events if isinstance(event, Notice)]


@pytest.mark.parametrize("language", ["en", "fa", "zh"])
def test_at_the_cap_the_model_is_not_called_and_the_fixed_text_follows(cap, price, language):
    cap(BOUND - 1)
    worded_by = model()
    events = ask(worded_by, Question(QUESTION, language))
    assert [type(event) for event in events] == [Notice, Done]
    assert events[0].text == notice_text("budget", "en")
    assert not worded_by.asked
    assert not events[-1].model_called
    assert not Reservation.objects.filter(purpose="answer").exists()
    assert GuardrailEvent.objects.filter(guard="budget", detail="BudgetExhausted").exists()


def test_what_it_cost_is_booked_and_the_rest_is_free_again(cap, price):
    cap(BOUND + 60, conversation_percent=100, address_percent=100)
    assert [ask()[-1].cost_microusd for _ in range(3)] == [30, 30, 30]
    state = ledger.month_state()
    assert (state.settled, state.reserved) == (90, 0)
    assert notices(ask()) == ["budget"]
    assert Charge.objects.filter(model=MODEL).count() == 3


def test_when_the_embedding_cannot_be_paid_for_search_goes_on_by_keyword(cap, price, paid_embedder):
    cap(10**7)
    embeddings = Reservation.objects.filter(purpose="embedding", micro_usd__gt=0)
    assert ask()[-1].embedded
    assert embeddings.count() == 1
    cap(BOUND)
    events = ask()
    assert events[-1].top
    assert events[-1].embedded is False
    assert notices(events) == ["budget"]
    assert embeddings.count() == 1


def test_a_model_without_a_price_is_not_called(cap):
    worded_by = model()
    events = ask(worded_by)
    assert not worded_by.asked
    assert len(notices(events)) == 1
    assert not Reservation.objects.filter(purpose="answer").exists()


def test_a_turn_over_the_end_of_the_month_counts_where_it_began(cap, price, monkeypatch):
    now = ledger.timezone.now()
    november, december = now.replace(month=11, day=30, hour=23), now.replace(month=12, day=1, hour=1)
    moments = iter([november])
    monkeypatch.setattr(ledger.timezone, "now", lambda: next(moments, december))
    held = ledger.reserve(BOUND, purpose="answer", subject="turn", seconds=60)
    ledger.settle(held.pk, Usage(MODEL, 30, 0))
    assert [(row.month.month, row.settled_micro_usd) for row in SpendMonth.objects.all()] == [(11, 30)]
    assert ledger.month_state().settled == 0


class TestShares:
    def test_a_conversation_that_used_its_share_up_is_told_and_others_are_answered(self, cap, price):
        cap(1_000_000, conversation_percent=1, address_percent=100)
        events = ask(model(tokens=10_000))
        conversation = open_signed(events[-1].conversation, "")
        again = ask(question=Question(QUESTION, "en", conversation=conversation))
        assert notices(again) == ["budget"]
        assert GuardrailEvent.objects.filter(detail="ShareExhausted").exists()
        assert any(isinstance(event, Released) for event in ask())

    def test_an_address_that_used_its_share_up_is_told_in_every_conversation(self, cap, price):
        cap(1_000_000, conversation_percent=100, address_percent=1)
        reader = visitors.Visitor(buckets=("192.0.2.1",), session="", viewer=PUBLIC)
        question = Question(QUESTION, "en", shares=reader.shares)
        ask(model(tokens=10_000), question)
        other = Question(QUESTION, "en", shares=reader.shares)
        assert notices(ask(question=other)) == ["budget"]

    def test_the_embedding_takes_from_it_too(self, cap, price, paid_embedder):
        cap(10**9)
        reader = visitors.Visitor(buckets=("192.0.2.1",), session="", viewer=PUBLIC)
        ask(question=Question(QUESTION, "en", shares=reader.shares))
        assert SpendShare.objects.get(key=reader.shares[0]).taken_micro_usd == ledger.month_state().settled

    def test_the_ledger_learns_neither_the_words_nor_the_address(self, cap, price):
        reader = visitors.Visitor(buckets=("192.0.2.1",), session="", viewer=PUBLIC)
        ask(question=Question(QUESTION, "en", shares=reader.shares))
        written = str([list(table.objects.values()) for table in (Reservation, Charge, SpendShare)])
        assert "192.0.2.1" not in written
        assert "battery" not in written
        Turn.objects.all().delete()
        assert Charge.objects.filter(model=MODEL).count() == 1


def test_the_limits_are_read_at_each_call(cap, price):
    assert caps.current().month == caps.current().ceiling
    cap(5)
    assert caps.current().month == 5
