"""The cap holds whatever happens at once, and money that nobody can account for is spent."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from threading import Barrier
from uuid import uuid4

import psycopg
import pytest
from django.db import connections, transaction
from django.utils import timezone
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from metering import ledger
from metering.errors import BudgetExhausted, LedgerUnavailable
from metering.ledger import MonthState, expire_overdue, month_state, reserve, settle
from metering.models import Charge, ModelPrice, Reservation, SpendCap, SpendMonth
from metering.prices import Usage

MODEL = "m-1"


def hold(micro_usd, seconds=60.0):
    return reserve(micro_usd, purpose="answer", subject="turn", seconds=seconds)


def overdue(reservation):
    Reservation.objects.filter(pk=reservation.pk).update(deadline=timezone.now() - timedelta(seconds=1))


@pytest.fixture
def price(db):
    """A micro-USD for each input token, two for each output token."""
    ModelPrice.objects.create(
        model=MODEL,
        valid_from=date(2020, 1, 1),
        input_micro_usd_per_mtok=1_000_000,
        output_micro_usd_per_mtok=2_000_000,
    )


class TestReserve:
    @pytest.mark.django_db
    def test_the_last_micro_dollar_can_be_held_and_no_more(self, cap):
        cap(100)
        hold(60)
        hold(40)
        with pytest.raises(BudgetExhausted):
            hold(1)
        assert month_state() == MonthState(settled=0, reserved=100, cap=100)
        assert Reservation.objects.count() == 2

    @pytest.mark.django_db
    def test_a_free_call_passes_at_the_cap(self, cap):
        cap(0)
        assert hold(0).micro_usd == 0

    @pytest.mark.django_db
    def test_the_owner_lowers_the_ceiling_and_never_raises_it(self, cap):
        cap(100)
        SpendCap.objects.create(micro_usd=10)
        SpendCap.objects.create(micro_usd=50)
        assert month_state().cap == 50
        with pytest.raises(BudgetExhausted):
            hold(51)
        SpendCap.objects.create(micro_usd=500)
        assert month_state().cap == 100

    @pytest.mark.django_db(transaction=True)
    def test_simultaneous_reservations_never_pass_the_cap(self, cap):
        cap(70)
        together = Barrier(12)

        def ask(_):
            try:
                together.wait(20)
                return hold(10).micro_usd
            except BudgetExhausted:
                return 0
            finally:
                connections.close_all()

        with ThreadPoolExecutor(12) as threads:
            held = list(threads.map(ask, range(12)))
        assert sorted(held) == [0] * 5 + [10] * 7
        assert month_state().reserved == 70
        assert SpendMonth.objects.count() == 1

    @pytest.mark.django_db(transaction=True)
    def test_it_refuses_to_run_where_a_rollback_could_undo_it(self):
        with transaction.atomic(), pytest.raises(RuntimeError, match="durable"):
            hold(1)

    @pytest.mark.django_db
    @pytest.mark.parametrize(
        ("zone", "month"), [("Pacific/Kiritimati", 12), ("UTC", 11), ("America/Sao_Paulo", 11), ("Asia/Tokyo", 12)]
    )
    def test_a_month_begins_at_the_owners_midnight(self, settings, monkeypatch, zone, month):
        settings.TRAVA = settings.TRAVA.model_copy(update={"TIME_ZONE": zone})
        moment = timezone.datetime(2026, 11, 30, 18, 0, tzinfo=timezone.get_default_timezone())
        monkeypatch.setattr(ledger.timezone, "now", lambda: moment)
        assert hold(1).month.month == date(2026, month, 1)


class TestSettle:
    @pytest.mark.django_db
    def test_the_usage_is_charged_and_the_rest_released(self, price):
        held = hold(1000)
        assert settle(held.id, Usage(MODEL, 100, 50, reasoning_tokens=20, cached_tokens=90), Usage(MODEL, 5, 0)) == 205
        state = month_state()
        assert (state.settled, state.reserved) == (205, 0)
        assert sorted(held.charges.values_list("micro_usd", flat=True)) == [5, 200]

    @pytest.mark.django_db
    def test_settling_twice_charges_once(self, price):
        held = hold(1000)
        assert [settle(held.id, Usage(MODEL, 100, 0)), settle(held.id, Usage(MODEL, 900, 0))] == [100, 100]
        assert (month_state().settled, Charge.objects.count()) == (100, 1)

    @pytest.mark.django_db(transaction=True)
    def test_settling_twice_at_once_charges_once(self, price):
        held = hold(1000)

        def call(_):
            try:
                return settle(held.id, Usage(MODEL, 100, 0))
            finally:
                connections.close_all()

        with ThreadPoolExecutor(6) as threads:
            assert set(threads.map(call, range(6))) == {100}
        assert (month_state().settled, month_state().reserved) == (100, 0)

    @pytest.mark.django_db
    def test_a_call_that_was_not_made_costs_nothing(self):
        assert settle(hold(1000).id) == 0
        assert (month_state().settled, month_state().reserved) == (0, 0)

    @pytest.mark.django_db
    def test_more_than_was_held_is_charged_all_the_same(self, price):
        assert settle(hold(10).id, Usage(MODEL, 25, 0)) == 25
        assert (month_state().settled, month_state().reserved) == (25, 0)

    @pytest.mark.django_db
    def test_a_late_settlement_replaces_the_full_amount(self, price):
        held = hold(1000)
        overdue(held)
        expire_overdue()
        assert settle(held.id, Usage(MODEL, 30, 0)) == 30
        assert (month_state().settled, month_state().reserved) == (30, 0)


class TestExpireOverdue:
    @pytest.mark.django_db
    def test_what_is_held_past_its_deadline_is_charged_in_full(self, cap):
        cap(1000)
        late, open_one = hold(300), hold(50)
        overdue(late)
        assert [expire_overdue(), expire_overdue()] == [1, 0]
        assert month_state() == MonthState(settled=300, reserved=50, cap=1000)
        late.refresh_from_db()
        open_one.refresh_from_db()
        assert [late.state, open_one.state] == ["expired", "held"]

    @pytest.mark.django_db
    def test_it_counts_in_the_month_that_held_it(self):
        old = SpendMonth.objects.create(month=date(2020, 1, 1), reserved_micro_usd=7)
        Reservation.objects.create(
            month=old, purpose="answer", micro_usd=7, deadline=timezone.now() - timedelta(days=1)
        )
        expire_overdue()
        old.refresh_from_db()
        assert (old.settled_micro_usd, old.reserved_micro_usd, month_state().settled) == (7, 0, 0)


class TestFailingClosed:
    """Nothing is spent that can't be recorded."""

    @pytest.mark.django_db
    @pytest.mark.parametrize("table", ["spendmonth", "spendcap", "reservation"])
    def test_a_database_error_is_no_permission(self, execute, table):
        execute(f"ALTER TABLE metering_{table} RENAME TO gone")
        with pytest.raises(LedgerUnavailable):
            hold(1)

    @pytest.mark.django_db(transaction=True)
    def test_a_lost_connection_is_no_permission(self):
        connection = connections["default"]
        connection.ensure_connection()
        parts = connection.settings_dict
        with psycopg.connect(
            host=parts["HOST"],
            port=parts["PORT"] or None,
            user=parts["USER"],
            password=parts["PASSWORD"],
            dbname=parts["NAME"],
        ) as other:
            other.execute("SELECT pg_terminate_backend(%s)", [connection.connection.info.backend_pid])
        with pytest.raises(LedgerUnavailable):
            hold(1)
        connection.close()
        assert hold(1).micro_usd == 1

    @pytest.mark.django_db
    @pytest.mark.parametrize("call", [lambda: settle(uuid4()), expire_overdue], ids=["settle", "expire"])
    def test_every_call_says_so(self, execute, call):
        execute("ALTER TABLE metering_reservation RENAME TO gone")
        with pytest.raises(LedgerUnavailable):
            call()


steps = st.lists(
    st.tuples(st.sampled_from(["reserve", "settle", "expire", "late"]), st.integers(0, 60), st.integers(0, 9)),
    max_size=25,
)


@pytest.mark.django_db
@hypothesis_settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=steps)
def test_the_months_sums_are_those_of_its_reservations(cap, price, steps):
    """Whatever happens in whatever order, and the cap holds as long as no call costs more than was held."""
    cap(200)
    for table in (Charge, Reservation, SpendMonth):
        table.objects.all().delete()
    made = []
    for step, amount, which in steps:
        chosen = made[which % len(made)] if made else None
        match step:
            case "reserve":
                try:
                    made.append(hold(amount))
                except BudgetExhausted:
                    assert month_state().settled + month_state().reserved + amount > 200
            case "settle" if chosen:
                settle(chosen.id, Usage(MODEL, min(amount, chosen.micro_usd), 0))
            case "late" if chosen:
                overdue(chosen)
            case "expire":
                expire_overdue()
    rows = list(Reservation.objects.all())
    held = sum(row.micro_usd for row in rows if row.state == "held")
    spent = sum(row.micro_usd for row in rows if row.state == "expired")
    charged = sum(Charge.objects.values_list("micro_usd", flat=True))
    state = month_state()
    assert (state.settled, state.reserved) == (spent + charged, held)
    assert state.settled + state.reserved <= 200
