"""The owner's page of costs: its figures add up to the ledger's, and its cap holds at once and below the ceiling."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import Group, User
from django.utils import timezone
from django.utils.translation import override

from metering import costs, ledger
from metering.errors import BudgetExhausted
from metering.models import ModelPrice, Reservation, SpendCap, SpendMonth
from metering.prices import Usage
from metering.templatetags.money import usd

pytestmark = pytest.mark.django_db
PAGE = "/admin/metering/spendmonth/"
MODEL = "m-1"


@pytest.fixture
def spent(cap):
    """A month with two settled calls, one that nobody settled, and one under way."""
    cap(20_000_000)
    ModelPrice.objects.create(
        model=MODEL, valid_from=date(2020, 1, 1), input_micro_usd_per_mtok=1_000_000, output_micro_usd_per_mtok=0
    )
    for purpose, tokens, reported in (("answer", 3000, True), ("embedding", 40, False)):
        held = hold(5000, purpose)
        ledger.settle(held.pk, Usage(MODEL, tokens, 7, reported=reported))
    lost = hold(700)
    Reservation.objects.filter(pk=lost.pk).update(deadline=timezone.now() - timedelta(seconds=1))
    ledger.expire_overdue()
    hold(90)


def hold(micro_usd, purpose="answer"):
    return ledger.reserve(micro_usd, purpose=purpose, subject="turn", seconds=60)


def signed_in(client, role="owner"):
    user = User.objects.create_user("somebody", password="a long password", is_staff=True)
    user.groups.add(Group.objects.get(name=role))
    client.force_login(user)
    return client


class TestFigures:
    def test_days_and_lines_add_up_to_what_is_spent(self, spent):
        shown = costs.of_month(costs.this_month())
        assert (shown.settled, shown.reserved) == (3740, 90)
        assert sum(micro_usd for _day, micro_usd in shown.days) == 3740
        assert sum(line.micro_usd for line in shown.lines) == 3740
        assert [(line.purpose, line.model, line.micro_usd, line.estimated) for line in shown.lines] == [
            ("answer", MODEL, 3000, 0),
            ("answer", "", 700, 1),
            ("embedding", MODEL, 40, 1),
        ]

    def test_a_day_is_the_owners(self, spent, settings):
        settings.TRAVA = settings.TRAVA.model_copy(update={"TIME_ZONE": "Pacific/Kiritimati"})
        month = SpendMonth.objects.get()
        SpendMonth.objects.filter(pk=month.pk).update(month=date(2026, 1, 1))
        moment = datetime(2026, 1, 9, 12, 0, tzinfo=ZoneInfo("UTC"))
        Reservation.objects.update(created_at=moment)
        assert dict(costs.of_month(date(2026, 1, 1)).days)[date(2026, 1, 10)] == 3740

    def test_a_month_without_a_call_is_all_zeros(self):
        shown = costs.of_month(date(2020, 2, 1))
        assert (shown.settled, shown.lines, len(shown.days), shown.projected) == (0, (), 29, None)

    @pytest.mark.parametrize(
        ("now", "expected"),
        [((2026, 4, 16), 200), ((2026, 4, 1), None), ((2026, 5, 2), None), ((2026, 3, 31), None)],
    )
    def test_the_rest_of_the_month_is_taken_to_go_as_it_went(self, now, expected):
        assert costs.projected(100, date(2026, 4, 1), datetime(*now, tzinfo=ZoneInfo("UTC"))) == expected


class TestPage:
    def test_the_owner_reads_it(self, client, spent):
        html = signed_in(client).get(PAGE).content.decode()
        for amount in ("$0.0037", "$20.00", "$0.0001", "$0.003"):
            assert amount in html
        assert html.count("<rect") == timezone.localdate().day
        assert " style=" not in html

    @pytest.mark.parametrize("role", ["editor", "reviewer"])
    def test_nobody_else_does(self, client, role):
        client = signed_in(client, role)
        assert client.get(PAGE).status_code == 403
        assert client.post(PAGE, {"usd": "1", "conversation_percent": "1", "address_percent": "1"}).status_code == 403
        assert not SpendCap.objects.exists()

    def test_another_month_is_shown_and_nonsense_is_not_found(self, client):
        client = signed_in(client)
        assert "2024" in client.get(PAGE, {"month": "2024-02"}).content.decode()
        assert client.get(PAGE, {"month": "soon"}).status_code == 404

    def test_a_new_cap_holds_from_the_next_call_on(self, client, cap):
        cap(20_000_000)
        hold(2_000_000)
        answer = signed_in(client).post(
            PAGE, {"usd": "1.50", "conversation_percent": "3", "address_percent": "7"}, follow=True
        )
        assert "The new limits hold" in answer.content.decode()
        assert ledger.month_state().cap == 1_500_000
        with pytest.raises(BudgetExhausted):
            hold(1)

    def test_above_the_ceiling_it_says_so_and_changes_nothing(self, client, cap):
        cap(20_000_000)
        answer = signed_in(client).post(PAGE, {"usd": "20.01", "conversation_percent": "3", "address_percent": "7"})
        assert "allows $20.00 a month at most" in answer.content.decode()
        assert not SpendCap.objects.exists()


@pytest.mark.parametrize(
    ("language", "written"), [("en", "$1,234.5678"), ("de", "1.234,5678\xa0$"), ("fa", "$\xa0۱٬۲۳۴٫۵۶۷۸")]
)
def test_an_amount_is_written_as_the_reader_writes_it(language, written):
    with override(language):
        assert written in usd(1_234_567_800)


def test_small_amounts_have_cents_at_least_and_parts_of_a_cent_at_most():
    with override("en"):
        assert [usd(amount) for amount in (0, 500_000, 1_234)] == ["$0.00", "$0.50", "$0.0012"]
