"""Reads the values of a text in one language: joins pieces into dates and ranges, and gives each its keys."""

import re
from collections.abc import Sequence, Set
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from guardrails.addresses import Address
from guardrails.dates import Date
from guardrails.language import Language
from guardrails.latch_sections import expand
from guardrails.one_of import one_of
from guardrails.parting import Parting
from guardrails.plain import plain
from guardrails.units import PERCENT
from guardrails.value_items import Item, ItemFinder, scaled
from guardrails.value_signs import Signs

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
    same characters (`literal`). `whole` is a bare whole number.
    """

    text: str
    start: int
    end: int
    readings: tuple[str, ...]
    literal: str
    whole: int | None


class ValueReader:
    """Reads values by the data of one language."""

    def __init__(self, language: Language) -> None:
        dates = language.dates
        self._finder = ItemFinder(language.numbers, dates)
        self.parting = Parting(self._finder, dates)
        spaced, ranged = (one_of(map(plain, expand(words))) for words in (dates.between, dates.range_words))
        self._between = re.compile(rf"[\s{re.escape(_ORDINAL_SIGNS)}]*(?:(?:{spaced})\s*){{0,2}}")
        self._range = re.compile(rf"[\s{re.escape(_ORDINAL_SIGNS)}]*(?:[{_DASHES}]|{ranged})\s*")

    def signs(self, plain: str, spaced: str | None = None) -> Signs:
        """Where a plain text may have values; `spaced` is its form by `parted`, where it is known."""
        return self._finder.signs(plain, spaced)

    def says_half(self, plain: str) -> bool:
        """Whether a plain text has a half behind what is counted, further from its number than the next word."""
        return self._finder.halves(plain)

    def read(self, signs: Signs) -> list[Value]:
        """The values of a text by its signs: the addresses, then the others in order; no articles and ordinals."""
        text, items = signs.text, self._items(signs)
        found = [_value(item, text) for item in items if item.month or not item.weak]
        return [*map(_address, signs.addresses), *found] if signs.addresses else found

    def offers(self, plain: str) -> "Offers":
        """What all values of a plain text offer as a source, articles and ordinals included."""
        signs = self.signs(plain)
        keys, literals = set(map(_address_key, signs.addresses)), {each.literal for each in signs.addresses}
        undecided: set[str] = set()
        for item in self._items(signs):
            literal = _literal(item)
            literals.add(literal)
            if offered := _offers(item):
                keys.update(offered)
            if not _readings(item):
                undecided.add(literal)
        return Offers(keys, literals, undecided)

    def _items(self, signs: Signs) -> list[Item]:
        text = signs.text
        items = self._finder.halved(self._finder.find(signs), text)
        if len(items) > 1:
            items = self._joined(items, text)
        return [
            item
            for item in items
            if not item.month or not item.weak or item.dates or self._finder.opened_month(text, item)
        ]

    def _joined(self, items: list[Item], text: str) -> list[Item]:
        """Neighbouring days, months and years as the dates they make, and ranges with what their ends share."""
        near = _near(items)
        if near and any(item.month or item.role for item in items):
            items = self._with_dates(items, near, text)
            near = _near(items)
        for at in near:
            first, second = items[at], items[at + 1]
            if self._range.fullmatch(text, first.end, second.start):
                items[at : at + 2] = _shared(first, second)
        return items

    def _with_dates(self, items: Sequence[Item], near: Sequence[int], text: str) -> list[Item]:
        found: list[Item] = []
        beyond = 0
        for at in near:
            if at >= beyond and (used := self._date_at(items, at, text)) > 1:
                found += (*items[beyond:at], _merged(items[at : at + used], text))
                beyond = at + used
        return [*found, *items[beyond:]]

    def _date_at(self, items: Sequence[Item], at: int, text: str) -> int:
        """How many items from `at` on make one date, 1 for none."""
        end = at + 1
        while end < min(at + 3, len(items)) and self._adjoin(items[end - 1], items[end], text):
            end += 1
        if end == at + 1:
            return 1
        match = _DATE.match("".join(map(_kind, items[at:end])))
        return len(match.group()) if match else 1

    def _adjoin(self, first: Item, second: Item, text: str) -> bool:
        near = second.start - first.end <= _LONGEST_GAP
        return near and self._between.fullmatch(text, first.end, second.start) is not None


def _near(items: Sequence[Item]) -> list[int]:
    """Which items have the next so near that they may belong together."""
    return [at for at, (first, second) in enumerate(pairwise(items)) if second.start - first.end <= _LONGEST_GAP]


class Offers(NamedTuple):
    """What all values of a source offer, how they are written, and the writing of those that can't be read surely."""

    keys: Set[str]
    literals: Set[str]
    undecided: Set[str]

    def hold(self, value: Value) -> bool:
        """Whether the value is among them."""
        if not value.readings:
            return value.literal in self.literals
        return value.literal in self.undecided or not self.keys.isdisjoint(value.readings)


def _address(address: Address) -> Value:
    literal, start, end = address.literal, address.start, address.end
    return Value(literal, start, end, (_address_key(address),), literal, None)


def _address_key(address: Address) -> str:
    return f"{address.kind} {address.key}"


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


def _shared(first: Item, second: Item) -> tuple[Item, Item]:
    """In "3 to 5 March 2021", "10–20 %" and "2 to 3 million" the second says what the first is, too."""
    if len(second.dates) == 1:
        return _with_date(first, second.dates[0]), second
    if first.number is None or second.number is None or first.weak:
        return first, second
    if not first.unit and first.scale == 1:
        if second.scale != 1 or second.unit:
            first = _with_key(first, _number_key(first.number, second.scale, second.unit))
    elif first.unit and not second.unit:
        second = _with_key(second, _number_key(second.number, second.scale, first.unit))
    return first, _with_century(second, first)


def _with_date(item: Item, date: Date) -> Item:
    if item.month and date.year:
        return replace(item, dates=(Date(date.year, item.month.month, 0, date.calendar),), keys=(item.month.key,))
    if item.whole and item.whole <= _LAST_DAY and date.day:
        return replace(item, dates=(Date(date.year, date.month, item.whole, date.calendar),))
    return item


def _with_century(item: Item, before: Item) -> Item:
    """The 21 of 2019–21 is 2021."""
    start, end = before.whole, item.whole
    if start and end and start >= 1000 and len(item.literal) == 2 and end > start % 100:
        return _with_key(item, f"#{start - start % 100 + end}")
    return item


def _with_key(item: Item, key: str) -> Item:
    return replace(item, keys=(*item.keys, key))


def _number_key(number: str, scale: int, unit: str) -> str:
    if unit or scale != 1:
        return f"{unit or '#'}{scaled(number, scale)}"
    return f"#{number}"


def _value(item: Item, text: str) -> Value:
    whole = None if item.month or item.dates or item.role else item.whole
    start, end = item.start, item.end
    return Value(text[start:end], start, end, _readings(item), _literal(item), whole)


def _literal(item: Item) -> str:
    return item.unit + item.literal


def _readings(item: Item) -> tuple[str, ...]:
    """The keys of which a source must have one."""
    if item.dates:
        return () if len(item.dates) > 1 else (item.dates[0].key, *_beside_date(item))
    if item.month or (item.role == "month" and item.whole):
        return (_month(item).key,)
    if item.number is None:
        return item.keys
    return (*item.keys, _number_key(item.number, item.scale, item.unit))


def _offers(item: Item) -> tuple[str, ...]:
    """The keys that an item gives as a part of a source."""
    if item.dates:
        if len(item.dates) > 1:
            return tuple(f"#{date.year}" for date in item.dates)
        return (*item.dates[0].offers, *_beside_date(item))
    if item.number is None or not item.unit or item.unit == PERCENT or item.month:
        return _readings(item)
    # A source that says 500 euros says 500; one that says 35 % does not say 35.
    return (*_readings(item), _number_key(item.number, item.scale, ""))


def _beside_date(item: Item) -> tuple[str, ...]:
    return (*item.keys, f"#{item.number}") if item.number else item.keys


def _month(item: Item) -> Date:
    return item.month or Date(0, item.whole or 0, 0)
