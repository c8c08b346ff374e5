"""The monthly cap, kept by reservations: an upper bound is held before a call, and settled by what it did cost.

For each month: settled = charges of its settled reservations + full amounts of its expired ones, and
reserved = amounts of its held ones. Every change of a reservation changes its month and its shares in the same
transaction, which takes locks in one order: reservation, shares, month. A reservation counts in the month in which it
was made, whenever it is settled.
Whatever the database can't do raises LedgerUnavailable: the ledger fails closed.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import wraps
from typing import ParamSpec, TypeVar
from uuid import UUID

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import transaction
from django.db.models import F, Sum
from django.utils import timezone

from metering import caps
from metering.errors import BudgetExhausted, LedgerUnavailable, ShareExhausted
from metering.models import Charge, Reservation, SpendMonth, SpendShare
from metering.prices import Usage, price_of
from metering.shares import even_out, take

EXPIRED_AT_ONCE = 500  # bounds the transaction that a long outage leaves behind

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class MonthState:
    """This month in micro-USD."""

    settled: int
    reserved: int
    cap: int


def _fails_closed(function: Callable[P, R]) -> Callable[P, R]:
    @wraps(function)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except DatabaseError as error:
            raise LedgerUnavailable("the ledger can't be read or written") from error

    return guarded


@_fails_closed
def reserve(micro_usd: int, *, purpose: str, subject: str, seconds: float, shares: tuple[str, ...] = ()) -> Reservation:
    """Hold an amount for a call that ends within `seconds`; raise BudgetExhausted or LedgerUnavailable.

    `shares` are keys of `metering.shares`: one that is used up raises ShareExhausted, which is a BudgetExhausted.
    It commits before it returns, so it must not run inside a transaction. A free call can't pass the cap and
    touches neither the month's row nor a share.
    """
    now = timezone.now()
    with transaction.atomic(durable=True):
        month = _month_of(now)
        if micro_usd:
            _hold(month, shares, micro_usd)
        return Reservation.objects.create(
            month=month,
            purpose=purpose,
            subject=subject,
            shares=sorted(set(shares)) if micro_usd else [],
            micro_usd=micro_usd,
            deadline=now + timedelta(seconds=seconds),
        )


@_fails_closed
def settle(reservation_id: UUID, *usages: Usage) -> int:
    """Charge what was used, release the rest, return the charge in micro-USD.

    A second call changes nothing and returns the first one's charge. A late call, after expiry, puts the real
    charge in the place of the full amount.
    """
    with transaction.atomic(durable=True):
        reservation = Reservation.objects.select_for_update().get(pk=reservation_id)
        if reservation.state == Reservation.State.SETTLED:
            return int(reservation.charges.aggregate(total=Sum("micro_usd", default=0))["total"])
        charge = sum(_charge(reservation, usage).micro_usd for usage in usages)
        held = reservation.state == Reservation.State.HELD
        even_out(reservation.month_id, reservation.shares, charge - reservation.micro_usd)
        _move(
            reservation.month_id,
            settled=charge if held else charge - reservation.micro_usd,
            reserved=-reservation.micro_usd if held else 0,
        )
        reservation.state, reservation.shares = Reservation.State.SETTLED, []
        reservation.save(update_fields=["state", "shares"])
        return charge


@_fails_closed
def expire_overdue() -> int:
    """Charge reservations held past their deadline in full, for nobody knows what they cost; return how many."""
    with transaction.atomic(durable=True):
        overdue = list(
            Reservation.objects.select_for_update(skip_locked=True)
            .filter(state=Reservation.State.HELD, deadline__lt=timezone.now())
            .order_by("deadline")[:EXPIRED_AT_ONCE]
        )
        totals: Counter[int] = Counter()
        for reservation in overdue:
            totals[reservation.month_id] += reservation.micro_usd
        for month_id, total in sorted(totals.items()):
            _move(month_id, settled=total, reserved=-total)
        Reservation.objects.filter(pk__in=[row.pk for row in overdue]).update(state=Reservation.State.EXPIRED)
        return len(overdue)


@_fails_closed
def forget_shares() -> None:
    """Delete the shares of months that are over, and what still names them."""
    over = SpendMonth.objects.filter(month__lt=_first_day(timezone.now()))
    with transaction.atomic(durable=True):
        Reservation.objects.filter(month__in=over).exclude(shares=[]).update(shares=[])
        SpendShare.objects.filter(month__in=over).delete()


@_fails_closed
def month_state() -> MonthState:
    """Return this month's figures; a month without a call has zeros."""
    row = SpendMonth.objects.filter(month=_first_day(timezone.now())).first()
    return MonthState(row.settled_micro_usd if row else 0, row.reserved_micro_usd if row else 0, caps.current().month)


def _first_day(moment: datetime) -> date:
    return timezone.localdate(moment, settings.TRAVA.zone).replace(day=1)


def _month_of(moment: datetime) -> SpendMonth:
    month, _ = SpendMonth.objects.get_or_create(month=_first_day(moment))
    return month


def _hold(month: SpendMonth, shares: tuple[str, ...], micro_usd: int) -> None:
    """Add to what the shares and the month hold, where they allow it: one statement each, so that two can't pass
    together. The month's row, for which everybody waits, comes last."""
    allowed = caps.current()
    if shares and not take(month, shares, micro_usd, allowed):
        raise ShareExhausted(f"this reader's share of {month} is used up")
    fits = SpendMonth.objects.alias(taken=F("settled_micro_usd") + F("reserved_micro_usd")).filter(
        pk=month.pk, taken__lte=allowed.month - micro_usd
    )
    if not fits.update(reserved_micro_usd=F("reserved_micro_usd") + micro_usd):
        raise BudgetExhausted(f"{micro_usd} µUSD would pass the cap of {month}")


def _charge(reservation: Reservation, usage: Usage) -> Charge:
    """Record one usage, at the price of the day on which it was reserved."""
    price = price_of(usage.model, timezone.localdate(reservation.created_at, settings.TRAVA.zone))
    return Charge.objects.create(
        reservation=reservation,
        model=usage.model,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        reasoning_tokens=usage.reasoning_tokens,
        cached_tokens=usage.cached_tokens,
        reported=usage.reported,
        micro_usd=price.cost(usage),
    )


def _move(month_id: int, *, settled: int, reserved: int) -> None:
    """Change a month's two sums; free calls move nothing and so never wait for its row."""
    if settled or reserved:
        SpendMonth.objects.filter(pk=month_id).update(
            settled_micro_usd=F("settled_micro_usd") + settled, reserved_micro_usd=F("reserved_micro_usd") + reserved
        )
