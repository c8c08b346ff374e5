"""Reads the values of a text in one language: joins pieces into dates and ranges, and gives each its keys."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from guardrails import addresses
from guardrails.addresses import Address
from guardrails.dates import Date
from guardrails.language import Language
from guardrails.latch_sections import expand
from guardrails.plain import plain
from guardrails.units import PERCENT
from guardrails.value_items import Item, ItemFinder, scaled

_LONGEST_GAP = 24
_DASHES = "-–—‐‑~〜～/"
_LAST_YEAR = 2_999
_LAST_DAY = 31
_ORDINAL_SIGNS = ".º°ª'"
# Day, month, year; a year comes first only where a sign says that it is one, as in 2021年3月.
_DATE = re.compile("dm[yY]|dm|md[yY]|m[yY]|md|Ymd|Ym")


class Value(NamedTuple):
    """A value in a plain text.

    Any of `readings` found among a source's keys supports it; a value without readings is undecided and needs the
    same characters (`literal`). `offers` are the keys that it gives as a part of a source. A weak value may be
    an article or an ordinal: it supports, and is never demanded. `whole` is a bare whole number.
    """

    text: str
    start: int
    end: int
    readings: tuple[str, ...]
    offers: tuple[str, ...]
    literal: str
    weak: bool
    whole: int | None


class ValueReader:
    """Reads values by the data of one language."""

    def __init__(self, language: Language) -> None:
        dates = language.dates
        self._finder = ItemFinder(language.numbers, dates)
        spaced = "|".join(re.escape(word) for word in sorted(map(plain, expand(dates.between)), key=len, reverse=True))
        self._between = re.compile(rf"[\s{re.escape(_ORDINAL_SIGNS)}]*(?:(?:{spaced or '(?!)'})\s*){{0,2}}")
        ranged = "|".join(
            re.escape(word) for word in sorted(map(plain, expand(dates.range_words)), key=len, reverse=True)
        )
        self._range = re.compile(rf"[\s{re.escape(_ORDINAL_SIGNS)}]*(?:[{_DASHES}]|{ranged or '(?!)'})\s*")

    def read(self, text: str) -> list[Value]:
        """The values of a plain text, in order."""
        found: list[Value] = []
        addressed = addresses.find(text)
        for address in addressed:
            key = f"{address.kind} {address.key}"
            literal = text[address.start : address.end]
            found.append(Value(literal, address.start, address.end, (key,), (key,), literal, weak=False, whole=None))
        text = _without(text, addressed)
        items = self._finder.find(text)
        if len(items) > 1:
            items = self._joined(items, text)
        found += [_value(item, text) for item in items if self._counts(item, text)]
        return found

    def sure_offers(self, text: str) -> Iterator[str]:
        """The offers of the numbers in digits that no neighbour can take into a date or take a key away from.

        All of them are among the offers of `read`, which costs several times as much.
        """
        for item in self._finder.digits(_without(text, addresses.find(text))):
            if item.number is not None and (item.unit or item.whole is None or item.whole > _LAST_DAY):
                yield from _keys(item)[1]

    def _counts(self, item: Item, text: str) -> bool:
        return not (item.month and item.weak and not item.dates) or self._finder.opened_month(text, item)

    def _joined(self, items: list[Item], text: str) -> list[Item]:
        if any(item.month or item.role for item in items):
            items = self._with_dates(items, text)
        for first, second in pairwise(items):
            near = second.start - first.end <= _LONGEST_GAP
            if near and self._range.fullmatch(text, first.end, second.start):
                _share(first, second)
        return items

    def _with_dates(self, items: Sequence[Item], text: str) -> list[Item]:
        """Replaces neighbouring days, months and years by the dates they make."""
        found: list[Item] = []
        at = 0
        while at < len(items):
            used = self._date_at(items, at, text)
            if used > 1:
                found.append(_merged(items[at : at + used], text))
            else:
                found.append(items[at])
            at += used
        return found

    def _date_at(self, items: Sequence[Item], at: int, text: str) -> int:
        """How many items from `at` on make one date, 1 for none."""
        kinds = ""
        for position in range(at, min(at + 3, len(items))):
            if position > at and not self._adjoin(items[position - 1], items[position], text):
                break
            kinds += _kind(items[position])
        if match := _DATE.match(kinds):
            return len(match.group())
        return 1

    def _adjoin(self, first: Item, second: Item, text: str) -> bool:
        near = second.start - first.end <= _LONGEST_GAP
        return near and self._between.fullmatch(text, first.end, second.start) is not None


def _without(text: str, found: Sequence[Address]) -> str:
    """The text with addresses blanked out: digits inside one are no values of their own."""
    for address in found:
        text = text[: address.start] + "\0" * (address.end - address.start) + text[address.end :]
    return text


def _kind(item: Item) -> str:
    if item.month or item.role == "month":
        return "m"
    whole = item.whole
    if whole is None or item.weak:
        return "-"
    if item.role == "year" or (item.role == "" and 1000 <= whole <= _LAST_YEAR and len(item.literal) == 4):
        return "Y" if item.role else "y"
    return "d" if 1 <= whole <= _LAST_DAY else "-"


def _merged(parts: Sequence[Item], text: str) -> Item:
    year = month = day = 0
    calendar = "gregorian"
    for part in parts:
        kind = _kind(part)
        if kind == "m" and part.month:
            month, calendar = part.month.month, part.month.calendar
        elif kind == "m":
            month = part.whole or 0
        elif kind in "yY":
            year = part.whole or 0
        else:
            day = part.whole or 0
    start, end = parts[0].start, parts[-1].end
    return Item(start, end, text[start:end], dates=(Date(year, month, day, calendar),))


def _share(first: Item, second: Item) -> None:
    """In "3 to 5 March 2021", "10–20 %" and "2 to 3 million" the second says what the first is, too."""
    if len(second.dates) == 1:
        _share_date(first, second.dates[0])
        return
    if first.number is None or second.number is None or first.weak:
        return
    if not first.unit and first.scale == 1:
        if second.scale != 1 or second.unit:
            first.keys = (*first.keys, _number_key(first.number, second.scale, second.unit))
    elif first.unit and not second.unit:
        second.keys = (*second.keys, _number_key(second.number, second.scale, first.unit))
    _share_century(first, second)


def _share_date(first: Item, date: Date) -> None:
    if first.month and date.year:
        first.dates = (Date(date.year, first.month.month, 0, date.calendar),)
        first.keys = (first.month.key,)
    elif first.whole and first.whole <= _LAST_DAY and date.day:
        first.dates = (Date(date.year, date.month, first.whole, date.calendar),)


def _share_century(first: Item, second: Item) -> None:
    """The 21 of 2019–21 is 2021."""
    start, end = first.whole, second.whole
    if start and end and start >= 1000 and len(second.literal) == 2 and end > start % 100:
        second.keys = (*second.keys, f"#{start - start % 100 + end}")


def _number_key(number: str, scale: int, unit: str) -> str:
    if unit or scale != 1:
        return f"{unit or '#'}{scaled(number, scale)}"
    return f"#{number}"


def _value(item: Item, text: str) -> Value:
    readings, offers = _keys(item)
    whole = None if item.month or item.dates or item.role else item.whole
    weak = item.weak and item.month is None
    written = text[item.start : item.end]
    return Value(written, item.start, item.end, readings, offers, f"{item.unit}{item.literal}", weak, whole)


def _keys(item: Item) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The readings and the offers of an item."""
    if item.dates:
        if len(item.dates) > 1:
            return (), tuple(f"#{date.year}" for date in item.dates)
        date = item.dates[0]
        bare = (f"#{item.number}",) if item.number else ()
        return (date.key, *item.keys, *bare), (*date.offers, *item.keys, *bare)
    if item.month or (item.role == "month" and item.whole):
        month = item.month or Date(0, item.whole or 0, 0)
        return (month.key,), (month.key,)
    if item.number is None:
        return item.keys, item.keys
    keys = (*item.keys, _number_key(item.number, item.scale, item.unit))
    if item.unit and item.unit != PERCENT:
        # A source that says 500 euros says 500; one that says 35 % does not say 35.
        return keys, (*keys, _number_key(item.number, item.scale, ""))
    return keys, keys
