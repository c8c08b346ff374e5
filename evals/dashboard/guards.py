"""How often each guard was triggered a day, and where that left what was usual.

Usual is the share of turns in the days before the period that is shown. A day is marked where its count is further
from what its turns let expect than three times the square root of that: the scatter of a count by chance (Poisson).
"""

import math
from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.conf import settings
from django.db.models import Count, Model, QuerySet
from django.db.models.functions import TruncDate
from django.utils import timezone

from assistant.models import DayFigure, GuardrailEvent, Turn

SHOWN, USUAL = 30, 60  # days: what is shown, and what it is held against
FEWEST = 30  # turns in the days before, for anything to be called usual
SCATTER = 3.0

Daily = Counter[tuple[date, str]]


@dataclass(frozen=True, slots=True)
class Day:
    """`expected` is None where too little came before."""

    day: date
    count: int
    turns: int
    expected: float | None

    @property
    def is_unusual(self) -> bool:
        """Whether chance alone would rarely give this."""
        return self.expected is not None and abs(self.count - self.expected) > SCATTER * math.sqrt(
            max(self.expected, 1.0)
        )


@dataclass(frozen=True, slots=True)
class Trend:
    """One guard over the days that are shown."""

    guard: str
    days: tuple[Day, ...]

    @property
    def total(self) -> int:
        return sum(day.count for day in self.days)

    @property
    def unusual(self) -> tuple[Day, ...]:
        return tuple(day for day in self.days if day.is_unusual)


def trends(today: date | None = None) -> list[Trend]:
    """Return every guard that was triggered in the time looked at, the busiest first."""
    last = today or timezone.localdate(timezone=settings.TRAVA.zone)
    shown = [last - timedelta(days=back) for back in range(SHOWN - 1, -1, -1)]
    first = shown[0] - timedelta(days=USUAL)
    triggered = _daily(GuardrailEvent.objects.filter(turn__live_check=False), first, "guard") + _deleted(first, "guard")
    turns = _by_day(_daily(Turn.objects.filter(live_check=False), first, None) + _deleted(first, "turns"))
    before = sum(count for day, count in turns.items() if day < shown[0])
    found = []
    for guard in sorted({guard for _, guard in triggered}):
        usual = sum(count for (day, name), count in triggered.items() if name == guard and day < shown[0])
        share = usual / before if before >= FEWEST else None
        days = (
            Day(day, triggered[day, guard], turns[day], None if share is None else share * turns[day]) for day in shown
        )
        found.append(Trend(guard, tuple(days)))
    return sorted(found, key=lambda trend: (-trend.total, trend.guard))


def _daily(rows: QuerySet[Model], first: date, name: str | None) -> Daily:
    start = datetime.combine(first, datetime.min.time(), tzinfo=settings.TRAVA.zone)
    keys = ["day", name] if name else ["day"]
    counted = (
        rows.filter(created_at__gte=start)
        .annotate(day=TruncDate("created_at", tzinfo=settings.TRAVA.zone))
        .order_by()
        .values_list(*keys)
        .annotate(count=Count("pk"))
    )
    return Counter({(row[0], row[1] if name else ""): row[-1] for row in counted})


def _deleted(first: date, kind: str) -> Daily:
    """What retention kept of turns that are gone."""
    found: Daily = Counter()
    for day, name, count in DayFigure.objects.filter(day__gte=first, kind=kind).values_list("day", "name", "count"):
        found[day, name if kind != "turns" else ""] += count
    return found


def _by_day(daily: Daily) -> Counter[date]:
    found: Counter[date] = Counter()
    for (day, _), count in daily.items():
        found[day] += count
    return found
