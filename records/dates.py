"""Dates of which only the year or the month may be known, as the owner writes them: 2018, 2018-09, 2018-09-03."""

import re
from dataclasses import dataclass
from datetime import date

from records.models import DatePrecision

_WRITTEN = re.compile(r"(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?")
_PRECISIONS = (DatePrecision.YEAR, DatePrecision.MONTH, DatePrecision.DAY)


@dataclass(frozen=True, slots=True)
class PartialDate:
    """`day` is the first day of what is known."""

    day: date
    precision: DatePrecision

    @classmethod
    def read(cls, written: str) -> "PartialDate":
        """Read a date; raise ValueError for anything that is none."""
        match = _WRITTEN.fullmatch(written.strip())
        if not match:
            raise ValueError(f"{written!r} is no date such as 2018, 2018-09 or 2018-09-03")
        parts = [int(part) for part in match.groups() if part]
        year, month, day = (*parts, 1, 1)[:3]
        return cls(date(year, month, day), _PRECISIONS[len(parts) - 1])

    def __str__(self) -> str:
        return self.day.isoformat()[: {"year": 4, "month": 7, "day": 10}[self.precision]]
