"""Dates and numbers as readers of a language write them (CLDR, by Babel), with the precision that is known.

Dates stay in the calendar of the record: a year of another calendar would be another value.
"""

from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Protocol

from babel.dates import format_date, format_skeleton
from babel.numbers import format_decimal
from django.utils.translation import gettext as _
from django.utils.translation import override

from metering.digits import digits
from records.models import DatePrecision

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
    return format_decimal(value, locale=language, numbering_system="default").translate(digits(language))


def decimal(value: float | Decimal, language: str, places: int) -> str:
    """Return a number with as many digits after the language's decimal sign; a half is rounded up."""
    rounded = Decimal(str(value)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    written = format_decimal(rounded, f"#,##0.{'0' * places}", language, numbering_system="default")
    return written.translate(digits(language))


def day(value: date, language: str, precision: str = DatePrecision.DAY) -> str:
    """Return a date as far as it is known."""
    skeleton = _SKELETONS.get(DatePrecision(precision or DatePrecision.DAY))
    if skeleton is None:
        written = format_date(value, "long", locale=language)
    else:
        written = format_skeleton(skeleton, value, locale=language)
    return written.translate(digits(language))


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
