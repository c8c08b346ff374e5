"""Dates and numbers as readers of a language write them (CLDR, by Babel), with the precision that is known.

Dates stay in the calendar of the record: a year of another calendar would be another value.
"""

from datetime import date
from functools import cache
from typing import Protocol

from babel import Locale
from babel.dates import format_date, format_skeleton
from babel.numbers import format_decimal
from django.utils.translation import gettext as _
from django.utils.translation import override

from records.models import DatePrecision

_ZEROS = {"arab": "٠", "arabext": "۰", "deva": "०"}  # by the names that CLDR gives systems of digits
_SKELETONS = {DatePrecision.YEAR: "y", DatePrecision.MONTH: "yMMMM"}


class Dated(Protocol):
    """A record or a version of one."""

    @property
    def start(self) -> date | None: ...
    @property
    def start_precision(self) -> str: ...
    @property
    def end(self) -> date | None: ...
    @property
    def end_precision(self) -> str: ...
    @property
    def current(self) -> bool: ...


def number(value: int, language: str) -> str:
    """Return a number with the language's own digits and grouping."""
    return format_decimal(value, locale=language, numbering_system="default").translate(_digits(language))


def day(value: date, language: str, precision: str = DatePrecision.DAY) -> str:
    """Return a date as far as it is known."""
    skeleton = _SKELETONS.get(DatePrecision(precision or DatePrecision.DAY))
    if skeleton is None:
        written = format_date(value, "long", locale=language)
    else:
        written = format_skeleton(skeleton, value, locale=language)
    return written.translate(_digits(language))


def period(dated: Dated, language: str) -> str:
    """Return from when to when, in the language's words; empty for an undated record."""
    if dated.start is None:
        return ""
    start = day(dated.start, language, dated.start_precision)
    end = day(dated.end, language, dated.end_precision) if dated.end else ""
    with override(language):
        if end and end != start:
            return _("%(start)s – %(end)s") % {"start": start, "end": end}
        if dated.current and not end:
            return _("since %(start)s") % {"start": start}
    return start


@cache
def _digits(language: str) -> dict[int, str]:
    """Babel knows which digits a language writes, and writes Latin ones."""
    zero = _ZEROS.get(Locale.parse(language).default_numbering_system, "0")
    return {ord("0") + digit: chr(ord(zero) + digit) for digit in range(10)}
