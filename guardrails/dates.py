"""Dates and times of day in plain text, each with its keys: the whole and the parts that it supports.

A date of March 5, 2021 supports "March 2021" and "2021"; a year or month of another calendar is another value. Dates
are compared as written: nothing is converted between calendars.
"""

from typing import NamedTuple

_LAST_YEAR = 2_999


class Date(NamedTuple):
    """A date of any precision; 0 stands for what is not said."""

    year: int
    month: int
    day: int
    calendar: str = "gregorian"

    @property
    def key(self) -> str:
        """The date as it is, to be found in a source."""
        return _key(self.calendar, self.year, self.month, self.day)

    @property
    def offers(self) -> tuple[str, ...]:
        """The keys that this date supports in an answer."""
        year, month, day, calendar = self
        keys = [_key(calendar, year, month, day), _key(calendar, 0, month, 0)]
        if year and day:
            keys += (_key(calendar, year, month, 0), _key(calendar, 0, month, day))
        return (*keys, f"#{year}") if year else tuple(keys)

    @property
    def valid(self) -> bool:
        """Whether there can be such a date; no calendar here has a month of more than 31 days."""
        return self.year <= _LAST_YEAR and 1 <= self.month <= 12 and self.day <= 31


def _key(calendar: str, year: int, month: int, day: int) -> str:
    return f"{calendar} {year or '-'} {month or '-'} {day or '-'}"


def numeric(token: str, orders: tuple[str, ...]) -> list[Date]:
    """The dates that a token such as 2021-03-05 or 5.3.2021 may mean, by the orders of its language."""
    first, second, third = (int(part) for part in token.replace("/", "-").replace(".", "-").split("-"))
    if first > 31:
        return [date for date in [_date(first, second, third)] if date.valid]
    readings = {"dmy": (third, second, first), "mdy": (third, first, second)}
    found = {_date(*readings[order]) for order in orders}
    return sorted((date for date in found if date.valid and date.day), key=lambda date: date.key)


def month_of_year(token: str) -> Date:
    """The month of a token such as 03/2014 or 3.2014."""
    month, year = (int(part) for part in token.replace(".", "/").split("/"))
    return _date(year, month, 0)


def time_key(hour: int, minute: int, *, afternoon: bool = False, morning: bool = False) -> str | None:
    """The key of a time of day, None where there is no such time."""
    if afternoon and hour < 12:
        hour += 12
    if morning and hour == 12:
        hour = 0
    return f"t{hour}:{minute:02}" if hour <= 24 and minute < 60 else None


def _date(year: int, month: int, day: int) -> Date:
    # Persian sites write 1398/05/12 as others write 2019/08/03.
    return Date(year, month, day, "jalali" if 1200 <= year < 1500 else "gregorian")
