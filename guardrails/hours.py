"""Hours of the day in plain text: what stands beside a number that makes it one, and the time that it then is.

14h30, 14.30 Uhr, 2 pm, zwei Uhr nachmittags, 下午两点半. Where the number stands and what else it may be is decided in
`value_items`.
"""

import re
from typing import NamedTuple

from guardrails.dates import time_key
from guardrails.latch_sections import Dates, Numbers, expand
from guardrails.one_of import NOTHING, one_of
from guardrails.plain import plain
from guardrails.units import SPACES, after_number

_MINUTES = re.compile(rf"[{SPACES}]{{0,2}}(\d\d)(?!\d)")
_CLOCK = re.compile(r"(\d{1,2})\.(\d\d)\Z")
_FARTHEST = 12


class Hour(NamedTuple):
    """An hour of the day: the key of the time, None where there is no such time, and where it ends.

    `bare` is a number that counts hours as well. Minutes that are marked as such (`minutes`) may belong to a time
    that something takes; the hour itself then ends at `mark_end`.
    """

    key: str | None
    end: int
    bare: bool
    mark_end: int
    minutes: tuple[int, int] | None


class Hours:
    """Finds them by the data of one language."""

    def __init__(self, numbers: Numbers, dates: Dates) -> None:
        hours, minutes = (tuple(map(plain, expand(marks))) for marks in (dates.hour_marks, dates.minute_marks))
        self._halves = {plain(mark): half for half in ("am", "pm") for mark in expand(getattr(dates, half))}
        self._half_ends = tuple(self._halves)
        self.marks = frozenset(hours)
        # What an hour of the day may begin to be known by.
        self.signs = (*self._halves, *hours)
        self.forms = frozenset((*self.signs, *minutes))
        self._hour_after = after_number(hours)
        self._minute_after = after_number(minutes)
        self._half_after = after_number(self._halves)
        # In Chinese a half stands behind the mark: 两点半.
        self._half_past = re.compile(one_of(map(plain, numbers.halves_after)) if numbers.characters else NOTHING)
        self._twelve_hours = dates.twelve_hours

    def at(self, literal: str, number: str | None, start: int, end: int, text: str) -> Hour | None:
        """The hour that a number is which is written so, from `start` to `end`; None for another number."""
        if not (said := _said(literal, number)):
            return None
        hour, minute = said
        halved = self._half_after.match(text, end)
        mark = None if halved else self._hour_after.match(text, end)
        if not mark and not halved:
            return None
        mark_end = end = mark.end() if mark else end
        span = None
        if minutes := _MINUTES.match(text, end) if mark and not minute else None:
            minute, end = minutes[1], minutes.end()
            if marked := self._minute_after.match(text, end):
                span, end = minutes.span(1), marked.end()
        elif half_past := self._half_past.match(text, end) if mark and not minute else None:
            minute, end = "30", half_past.end()
        half = self._half(text, start, end)
        key = time_key(int(hour), int(minute or 0), **half)
        # Two hours and a half may be how long it took.
        counts = not minute or (minute == said[1] and not literal[0].isdecimal())
        return Hour(key, end, counts and not half, mark_end, None if half else span)

    def time(self, token: str, start: int, end: int, text: str) -> str | None:
        """The key of a time such as 2:30 or 14:30:15; None where it may be either half of the day, or there is none."""
        hour, minute, *seconds = (int(part) for part in token.split(":"))
        half = self._half(text, start, end)
        if not half and self._twelve_hours and 0 < hour <= 12 and not token.startswith("0"):
            return None
        key = time_key(hour, minute, **half)
        return f"{key}:{seconds[0]:02}" if key and seconds else key

    def _half(self, text: str, start: int, end: int) -> dict[str, bool]:
        """Which half of the day is said around a number, as `time_key` takes it; nothing where none is."""
        after = self._half_after.match(text, end)
        said = self._halves[after[1]] if after else ""
        before = text[max(0, start - _FARTHEST) : start].rstrip()
        if not said and before.endswith(self._half_ends):
            said = next(half for mark, half in self._halves.items() if before.endswith(mark))
        return {"afternoon": said == "pm", "morning": said == "am"} if said else {}


def _said(literal: str, number: str | None) -> tuple[str, str] | None:
    """The hour and the minute, if it says any, of a number that may be an hour; in words it may have a half."""
    if clock := _CLOCK.match(literal):
        return clock[1], clock[2]
    if literal[0].isdecimal():
        hour, half = literal, ""
    else:
        hour, _, half = (number or "").partition(".")
    if not hour.isdigit() or len(hour) > 2 or half not in ("", "5"):
        return None
    return hour, "30" if half else ""
