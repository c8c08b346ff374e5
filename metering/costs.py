"""What a month cost, for its owner to read: by day, by purpose and model, and where it is heading.

Every amount belongs to the day on which it was reserved, by the owner's zone, so that days and lines add up to what the
ledger says is spent. Nothing here changes anything.
"""

from calendar import monthrange
from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.conf import settings
from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone

from metering.models import Charge, Reservation, SpendMonth

ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Line:
    """What one model cost for one purpose; no model where nobody knows what the calls cost: charged in full."""

    purpose: str
    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    micro_usd: int
    estimated: int  # of these calls: a figure is our bound and not the provider's


@dataclass(frozen=True, slots=True)
class Costs:
    """One month in micro-USD. `days` has every day from the first to the last or today; `projected` only this month."""

    month: date
    settled: int
    reserved: int
    days: tuple[tuple[date, int], ...]
    lines: tuple[Line, ...]
    projected: int | None


def this_month() -> date:
    """Return the first day of the month that it is where the owner lives."""
    return timezone.localdate(timezone=settings.TRAVA.zone).replace(day=1)


def of_month(month: date) -> Costs:
    """Return the figures of the month that begins on this day; zeros where nothing was called."""
    row = SpendMonth.objects.filter(month=month).first() or SpendMonth(month=month)
    return Costs(
        month=month,
        settled=row.settled_micro_usd,
        reserved=row.reserved_micro_usd,
        days=_days(row),
        lines=tuple(sorted((*_charged(row), *_expired(row)), key=lambda line: -line.micro_usd)),
        projected=projected(row.settled_micro_usd, month, timezone.localtime(timezone=settings.TRAVA.zone)),
    )


def projected(settled: int, month: date, now: datetime) -> int | None:
    """Return what the month costs if its rest goes as it went until now; None outside it and on its first day."""
    begin = datetime(month.year, month.month, 1, tzinfo=now.tzinfo)
    length = timedelta(days=monthrange(month.year, month.month)[1])
    elapsed = now - begin
    return round(settled * (length / elapsed)) if ONE_DAY <= elapsed <= length else None


def _days(row: SpendMonth) -> tuple[tuple[date, int], ...]:
    day = TruncDate("reservation__created_at", tzinfo=settings.TRAVA.zone)
    spent: Counter[date] = Counter()
    for found in _charges(row).values(day=day).annotate(total=Sum("micro_usd")):
        spent[found["day"]] += found["total"]
    day = TruncDate("created_at", tzinfo=settings.TRAVA.zone)
    for found in _unknown(row).values(day=day).annotate(total=Sum("micro_usd")):
        spent[found["day"]] += found["total"]
    last = row.month.replace(day=monthrange(row.month.year, row.month.month)[1])
    until = min(last, timezone.localdate(timezone=settings.TRAVA.zone))
    return tuple((row.month + number * ONE_DAY, spent[row.month + number * ONE_DAY]) for number in range(until.day))


def _charged(row: SpendMonth) -> list[Line]:
    found = (
        _charges(row)
        .values("reservation__purpose", "model")
        .annotate(
            calls=Count("pk"),
            read=Sum("input_tokens"),
            written=Sum("output_tokens"),
            total=Sum("micro_usd"),
            estimated=Count("pk", filter=Q(reported=False)),
        )
    )
    return [
        Line(
            each["reservation__purpose"],
            each["model"],
            each["calls"],
            each["read"],
            each["written"],
            each["total"],
            each["estimated"],
        )
        for each in found
    ]


def _expired(row: SpendMonth) -> list[Line]:
    found = _unknown(row).values("purpose").annotate(calls=Count("pk"), total=Sum("micro_usd"))
    return [Line(each["purpose"], "", each["calls"], 0, 0, each["total"], each["calls"]) for each in found]


# A month that has no row yet has neither; `.order_by()` takes out what would split the groups.
def _charges(row: SpendMonth) -> QuerySet[Charge]:
    return Charge.objects.filter(reservation__month=row.pk).order_by()


def _unknown(row: SpendMonth) -> QuerySet[Reservation]:
    return Reservation.objects.filter(month=row.pk, state=Reservation.State.EXPIRED).order_by()
