"""One reader can't hold the month: a conversation and an address each have a share, kept with the cap itself."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from threading import Barrier

import pytest
from django.db import IntegrityError, connections, transaction
from django.utils import timezone

from metering import ledger
from metering.errors import BudgetExhausted, ShareExhausted
from metering.ledger import expire_overdue, forget_shares, month_state, reserve, settle
from metering.models import ModelPrice, Reservation, SpendCap, SpendMonth, SpendShare
from metering.prices import Usage
from metering.shares import Kind, key

MODEL = "m-1"
TALK, HOME = key(Kind.CONVERSATION, "talk"), key(Kind.ADDRESS, "192.0.2.1")


@pytest.fixture
def percents(cap):
    """A cap of 1,000 µUSD with these shares."""

    def choose(conversation: int, address: int) -> None:
        cap(1000)
        SpendCap.objects.create(micro_usd=1000, conversation_percent=conversation, address_percent=address)

    return choose


@pytest.fixture
def price(db):
    ModelPrice.objects.create(
        model=MODEL, valid_from=date(2020, 1, 1), input_micro_usd_per_mtok=1_000_000, output_micro_usd_per_mtok=0
    )


def hold(micro_usd, *shares, seconds=60.0):
    return reserve(micro_usd, purpose="answer", subject="turn", seconds=seconds, shares=shares)


def taken(share):
    return SpendShare.objects.get(key=share).taken_micro_usd


@pytest.mark.django_db
class TestOneReader:
    def test_a_conversation_stops_at_its_share_and_others_go_on(self, percents):
        percents(conversation=3, address=100)
        for _ in range(3):
            hold(10, TALK)
        with pytest.raises(ShareExhausted):
            hold(10, TALK)
        assert hold(10, key(Kind.CONVERSATION, "another")).micro_usd == 10
        assert month_state().reserved == 40

    def test_an_address_stops_at_its_share_through_all_its_conversations(self, percents):
        percents(conversation=100, address=2)
        for name in ("one", "two"):
            hold(10, key(Kind.CONVERSATION, name), HOME)
        with pytest.raises(ShareExhausted):
            hold(10, key(Kind.CONVERSATION, "three"), HOME)
        assert not SpendShare.objects.filter(key=key(Kind.CONVERSATION, "three")).exists()
        assert taken(HOME) == month_state().reserved == 20

    def test_a_share_below_one_answers_bound_answers_once_and_not_nobody(self, percents):
        percents(conversation=1, address=100)
        hold(400, TALK)
        with pytest.raises(ShareExhausted):
            hold(400, TALK)

    def test_what_the_month_refuses_takes_no_share(self, percents):
        percents(conversation=100, address=100)
        hold(900)
        with pytest.raises(BudgetExhausted) as refused:
            hold(200, TALK, HOME)
        assert not isinstance(refused.value, ShareExhausted)
        assert not SpendShare.objects.exists()

    def test_a_lowered_cap_lowers_the_shares_at_once(self, percents):
        percents(conversation=10, address=100)
        hold(20, TALK)
        SpendCap.objects.create(micro_usd=200, conversation_percent=10, address_percent=100)
        with pytest.raises(ShareExhausted):
            hold(20, TALK)

    def test_a_free_call_takes_none(self, percents):
        percents(conversation=1, address=1)
        hold(0, TALK, HOME)
        assert not SpendShare.objects.exists()


@pytest.mark.django_db
class TestEveningOut:
    def test_what_was_not_used_comes_back_to_the_share(self, percents, price):
        percents(conversation=100, address=100)
        held = hold(500, TALK, HOME)
        settle(held.id, Usage(MODEL, 30, 0))
        settle(held.id, Usage(MODEL, 30, 0))
        assert taken(TALK) == taken(HOME) == 30
        held.refresh_from_db()
        assert held.shares == []

    def test_an_expired_one_stays_taken_until_it_is_settled_late(self, percents, price):
        percents(conversation=100, address=100)
        held = hold(500, TALK)
        Reservation.objects.filter(pk=held.pk).update(deadline=timezone.now() - timedelta(seconds=1))
        expire_overdue()
        assert taken(TALK) == 500
        settle(held.id, Usage(MODEL, 30, 0))
        assert taken(TALK) == month_state().settled == 30

    def test_more_than_was_held_is_taken_too(self, percents, price):
        percents(conversation=100, address=100)
        settle(hold(10, TALK).id, Usage(MODEL, 25, 0))
        assert taken(TALK) == 25


@pytest.mark.django_db(transaction=True)
def test_questions_at_once_do_not_share_one_share_twice(percents):
    percents(conversation=100, address=7)
    together = Barrier(12)

    def ask(number):
        try:
            together.wait(20)
            return hold(10, HOME, key(Kind.CONVERSATION, str(number % 3))).micro_usd
        except BudgetExhausted:
            return 0
        finally:
            connections.close_all()

    with ThreadPoolExecutor(12) as threads:
        held = list(threads.map(ask, range(12)))
    assert sorted(held) == [0] * 5 + [10] * 7
    assert taken(HOME) == month_state().reserved == 70


class TestPrivacy:
    def test_a_key_says_what_it_is_and_not_whose(self, settings):
        assert key(Kind.ADDRESS, "192.0.2.1") == HOME
        assert HOME.startswith("address:")
        assert "192.0.2.1" not in HOME
        settings.SECRET_KEY = "another"
        assert key(Kind.ADDRESS, "192.0.2.1") != HOME

    @pytest.mark.django_db
    def test_shares_go_when_their_month_is_over_and_the_money_stays(self, percents, price, monkeypatch):
        percents(conversation=100, address=100)
        held, expired = hold(500, TALK, HOME), hold(100, TALK)
        Reservation.objects.filter(pk=expired.pk).update(deadline=timezone.now() - timedelta(seconds=1))
        expire_overdue()
        forget_shares()
        assert SpendShare.objects.count() == 2
        now = timezone.now()
        monkeypatch.setattr(ledger.timezone, "now", lambda: now + timedelta(days=31))
        forget_shares()
        assert not SpendShare.objects.exists()
        assert not Reservation.objects.exclude(shares=[]).exists()
        settle(held.id, Usage(MODEL, 30, 0))
        assert SpendMonth.objects.get().settled_micro_usd == 130


@pytest.mark.django_db
@pytest.mark.parametrize(
    "wrong",
    [
        lambda: SpendCap.objects.create(micro_usd=1, conversation_percent=0),
        lambda: SpendCap.objects.create(micro_usd=1, address_percent=101),
        lambda: SpendMonth.objects.create(month=date(2026, 11, 2)),
        lambda: SpendShare.objects.create(month=SpendMonth.objects.create(month=date(2026, 1, 1)), taken_micro_usd=-1),
        lambda: ModelPrice.objects.create(
            model="", valid_from=date(2026, 1, 1), input_micro_usd_per_mtok=1, output_micro_usd_per_mtok=1
        ),
        lambda: Reservation.objects.create(
            month=SpendMonth.objects.create(month=date(2026, 1, 1)),
            purpose="answer",
            micro_usd=1,
            state="lost",
            deadline=timezone.now(),
        ),
    ],
    ids=["no share", "more than the cap", "mid-month", "negative", "nameless", "unknown state"],
)
def test_the_database_itself_refuses_what_makes_no_sense(wrong):
    with pytest.raises(IntegrityError), transaction.atomic():
        wrong()
