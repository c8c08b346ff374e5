"""The pieces of a plain text that may be values: numbers in digits, words or Chinese numerals, months, times.

Each piece stands alone here; `value_reading` joins neighbours into dates and ranges and gives them keys.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache, partial
from operator import attrgetter
from typing import Literal

from guardrails.dates import Date, month_of_year, numeric
from guardrails.hours import Hours
from guardrails.latch_sections import Dates, Numbers, expand
from guardrails.number_words import Lexicon
from guardrails.numerals import POINTS, read, read_characters
from guardrails.one_of import one_of
from guardrails.plain import WORD, WORD_CHARACTER, plain
from guardrails.text import HAN
from guardrails.units import SPACES, Units, after_number
from guardrails.value_signs import Signs

Role = Literal["", "year", "month", "day"]
# No letter behind this one makes a name with the digit after it.
_LAST_OF_NAME = "\u04ff"
_IDENTIFIER_BEFORE = re.compile(r"[a-z\u00df-\u00ff\u0400-\u04ff][a-z\u00df-\u00ff\u0400-\u04ff\d_]*\Z")
_ORDINAL = "第"
# Chinese goes on behind a name without a space.
_WORD_REST = re.compile(rf"(?:[^\W{HAN}]|\.)*[^\W{HAN}]")
_FARTHEST_MINUS = 20
# No text has it.
_NOWHERE = "\uffff"
# A hyphen is a minus where nothing is joined by it; in Chinese, which has no spaces, before degrees.
_BELOW_ZERO = re.compile(rf"(?:\A|[ (\u00a0])-\d|[{HAN}]-\d[^℃°]*[℃°]")
_LEADING_ZERO = re.compile(r"0\d")
_PREVIOUS_WORD = re.compile(r"([\w\u0900-\u097f]+)[\s(]*\Z")


_start = attrgetter("start")


@dataclass(slots=True)
class Item:
    """One piece; `number` is None where it can't be read without doubt, `keys` are other exact readings."""

    start: int
    end: int
    literal: str
    number: str | None = None
    scale: int = 1
    unit: str = ""
    role: Role = ""
    weak: bool = False
    month: Date | None = None
    dates: tuple[Date, ...] = ()
    keys: tuple[str, ...] = ()
    minutes: "Item | None" = None

    @property
    def whole(self) -> int | None:
        """The bare whole number, without unit or scale."""
        number = self.number
        if number is None or self.unit or self.scale != 1 or len(number) > 9 or not number.isdigit():
            return None
        return int(number)


class ItemFinder:
    """Finds the pieces by the data of one language."""

    def __init__(self, numbers: Numbers, dates: Dates) -> None:
        self._numbers = numbers
        self._dates = dates
        self._lexicon = Lexicon(numbers, dates)
        self._units = Units(numbers)
        roles: tuple[tuple[Role, frozenset[str]], ...] = (
            ("year", dates.year_marks),
            ("month", dates.month_marks),
            ("day", dates.day_marks),
        )
        self._roles = {plain(mark): role for role, marks in roles for mark in expand(marks)}
        self._role_after = after_number(self._roles)
        units = tuple(self._units.forms)
        self._only_roles = {mark: role for mark, role in self._roles.items() if not mark.startswith(units)}
        self._hours = Hours(numbers, dates)
        self._minutes = bool(dates.minute_marks)
        minus = list(map(plain, expand(numbers.minus)))
        self._minus_last = frozenset(word[-1] for word in minus)
        self._minus_before = re.compile(rf"(?:\b|(?<=[{HAN}])){one_of(minus)}[{SPACES}]{{0,2}}\Z")
        self._openers = frozenset(map(plain, expand(dates.month_openers)))
        self._beside = {*minus, *self._units.forms, *self._units.before_number, *self._roles, *self._hours.forms}
        self._anything_after = after_number({*self._units.forms, *self._roles, *self._hours.signs})
        self._words = frozenset(WORD.findall(" ".join(self._beside)))
        self._characters = _character_run(numbers)
        self.reads_numerals = self._characters is not None
        self._exceptions = list(map(plain, expand(numbers.exceptions)))
        self._no_numbers = re.compile(one_of(self._exceptions))
        self._read = lru_cache(maxsize=4096)(partial(read, numbers=numbers))
        self._read_characters = lru_cache(maxsize=4096)(self._new_characters)
        self._counters = list(map(plain, expand(numbers.counters)))
        self._counted = re.compile(one_of(self._counters))
        halves = [] if self.reads_numerals else list(map(plain, expand(numbers.halves_after)))
        self._halves = re.compile(one_of(f" {half}" for half in halves)) if halves else None
        # Whether a text says such a half, so that more words than the next belong to its values. A sentence is asked
        # for at each of its numbers and for each source.
        self.halves = lru_cache(maxsize=16)(self._says_half)
        larger = one_of(map(plain, numbers.scales))
        self._half_behind = re.compile(
            rf"(?:[{SPACES}]{WORD_CHARACTER}+)?[{SPACES}]{one_of(halves)}(?!{WORD_CHARACTER}|[{SPACES}]{larger})"
        )
        # In Chinese a half stands behind what is counted: 一年半, but not 两点半.
        self._half = next(iter(numbers.halves_after)) if self.reads_numerals else _NOWHERE
        counted = set(self._counters).difference(self._hours.marks)
        self._counted_half = re.compile(one_of(counted) + re.escape(self._half))

    def signs(self, plain: str, spaced: str | None = None) -> Signs:
        """Where a plain text may have pieces; `spaced` is its form by `parted`, where it is known."""
        return Signs(plain, self._lexicon, self._characters, spaced)

    def find(self, signs: Signs) -> list[Item]:
        """All pieces, in order and without overlaps."""
        text = signs.text
        items = [self._digits(match, text) for match in signs.digits]
        if signs.words:
            items += self._spelled(signs)
        if self._characters and signs.has_numerals:
            items += self._han(text, self._characters)
        if len(items) < 2:
            return items
        if self._minutes and (minutes := [item.minutes for item in items if item.minutes]):
            # Before the same digits as a number of their own, which begins where they do.
            items = [*minutes, *items]
        return _apart(sorted(items, key=_start))

    def halved(self, items: list[Item], text: str) -> list[Item]:
        """The items of a text, with the half that some languages say behind what is counted: dos años y medio."""
        if self.halves(text):
            for item in items:
                behind = item.number and item.scale == 1 and self._half_behind.match(text, item.end)
                if behind and item.number and item.number.isdigit():
                    item.number, item.end, item.keys, item.weak = f"{item.number}.5", behind.end(), (), False
        return items

    def _says_half(self, text: str) -> bool:
        return self._halves is not None and self._halves.search(text) is not None

    def knows(self, word: str) -> bool:
        """Whether a word without digits may belong to a piece: to a number, a month, a unit, a mark or an hour."""
        return word in self._words or self._lexicon.knows(word)

    def phrases(self) -> Iterator[str]:
        """Yield whatever may belong to a piece but numbers in digits, or says that something is none."""
        yield from (*self._beside, *self._exceptions, *self._counters, *self._numbers.characters, *POINTS, _ORDINAL)
        yield from self._lexicon.phrases()

    def opened_month(self, text: str, item: Item) -> bool:
        """Whether the word before says that a name with another everyday meaning is a month."""
        before = _PREVIOUS_WORD.search(text[max(0, item.start - 24) : item.start])
        return before is not None and before[1] in self._openers

    def _digits(self, match: re.Match[str], text: str) -> Item:
        token, kind, (start, end) = match.group(), match.lastgroup, match.span()
        if kind == "time":
            return self._time(token, start, end, text)
        if kind == "date":
            return Item(start, end, token, dates=tuple(numeric(token, self._dates.order)))
        if kind == "month" and self._is_month(token):
            return Item(start, end, token, dates=(month_of_year(token),))
        before = text[start - 1 : start]
        unit, unit_start = self._unit_before(text, start)
        if not unit and before <= _LAST_OF_NAME and before.isalpha() and (named := self._identifier(text, start, end)):
            return named
        item = Item(unit_start, end, token, self._read(token), unit=unit)
        if before == "-" and item.number and _BELOW_ZERO.search(text, max(0, start - 2), end + 1):
            item.number = f"-{item.number}"
        return self._with_context(item, text)

    def _unit_before(self, text: str, start: int) -> tuple[str, int]:
        last = text[start - 1 : start]
        if last in SPACES and start > 1:
            last = text[start - 2]
        return self._units.before(text, start) if last in self._units.before_last else ("", start)

    def _identifier(self, text: str, start: int, end: int) -> Item | None:
        """Letters glued before a digit make a name, such as s3 or k8s, except the v of a version."""
        before = _IDENTIFIER_BEFORE.search(text[max(0, start - 24) : start])
        if before is None or before.group() == "v":
            return None
        rest = _WORD_REST.match(text, start)
        name = before.group() + (rest.group() if rest else "")
        return Item(start - len(before.group()), max(end, rest.end() if rest else end), name)

    def _with_context(self, item: Item, text: str) -> Item:
        """Adds the minus before a number, and the unit, the scale, the mark, the hour or the half that follows."""
        self._negate(item, text)
        if self._half in text and (half := self._counted_half.match(text, item.end)) and item.whole is not None:
            item.number, item.end = f"{item.number}.5", half.end()
            return item
        if item.unit and (money := self._units.money(item.unit, text, item.end)):
            item.scale, item.end, item.literal = money.scale, money.end, f"{item.literal} {money.scale}"
            return item
        following = self._anything_after.match(text, item.end)
        if following is None:
            return item
        form = following[1]
        if form.startswith(self._hours.signs) and (hour := self._hour(item, text)):
            return hour
        if form in self._only_roles:
            item.role, item.end = self._only_roles[form], following.end()
            return item
        after = self._units.after(text, item.end)
        item.scale, item.unit, item.end = after.scale, after.name or item.unit, after.end
        if after.scale != 1 or after.name:
            item.literal += f" {after.scale}"
        elif role := self._role_after.match(text, item.end):
            item.role, item.end = self._roles[role[1]], role.end()
        return item

    def _negate(self, item: Item, text: str) -> None:
        """Minus 5, 零下5: where a word before a number says that it is below zero."""
        start = item.start
        last = text[start - 1 : start]
        if last in SPACES:
            last = text[start - 2 : start - 1]
        if last not in self._minus_last or not item.number:
            return
        if self._minus_before.search(text, max(0, start - _FARTHEST_MINUS), start):
            item.number = f"-{item.number}"

    def _hour(self, item: Item, text: str) -> Item | None:
        """A number that is an hour of the day; with marked minutes each number stands for itself as well."""
        hour = None if item.unit else self._hours.at(item.literal, item.number, item.start, item.end, text)
        if hour is None:
            return None
        item.keys, item.end = (hour.key,) if hour.key else (), hour.end
        if hour.minutes:
            start, end = hour.minutes
            item.minutes = Item(start, hour.end, text[start:end], self._read(text[start:end]), keys=item.keys)
            item.end = hour.mark_end
        elif not hour.bare:
            item.number = None
        return item

    def _is_month(self, token: str) -> bool:
        """With a point only where that parts no decimals: 03.2014 anywhere, 3.2014 where the comma does."""
        return "/" in token or token.startswith("0") or self._read(token) is None

    def _time(self, token: str, start: int, end: int, text: str) -> Item:
        key = self._hours.time(token, start, end, text)
        return Item(start, end, token[1:] if _LEADING_ZERO.match(token) else token, keys=(key,) if key else ())

    def _spelled(self, signs: Signs) -> list[Item]:
        text = signs.text
        months, numbers = self._lexicon.read(text, signs.bounded, signs.words)
        items = [
            Item(start, end, text[start:end], month=Date(0, int(entry.value), 0, entry.calendar), weak=not entry.bare)
            for entry, start, end in months
        ]
        for value, start, end, weak in numbers:
            item = self._with_context(Item(start, end, text[start:end], _written(value), weak=weak), text)
            # "One per cent" and "a million" are no articles.
            item.weak = weak and not item.unit and item.scale == 1
            items.append(item)
        return items

    def _han(self, text: str, characters: re.Pattern[str]) -> Iterator[Item]:
        text = self._no_numbers.sub(_blank, text)
        for match in characters.finditer(text):
            run, (first, end) = match.group(), match.span()
            number = self._read_characters(run)
            if number is None:
                continue
            unit, start = self._unit_before(text, first)
            item = self._with_context(Item(start, end, run, number, unit=unit), text)
            alone = len(run) == 1 and not item.unit and item.scale == 1 and not item.role
            if alone and run not in self._numbers.weak:
                alone = not self._counted.match(text, end)
            item.weak = alone or text[first - 1 : first] == _ORDINAL
            yield item

    def _new_characters(self, run: str) -> str | None:
        value = read_characters(run, self._numbers.characters)
        return None if value is None else _written(value)


def normal(number: str) -> str:
    """A number without the zeros that end its decimals."""
    return number.rstrip("0").rstrip(".") if "." in number else number


@lru_cache(maxsize=1024)
def _written(number: float) -> str:
    return normal(str(number))


@lru_cache(maxsize=4096)
def scaled(number: str, scale: int) -> str:
    """A number times its scale, written out."""
    return normal(f"{Decimal(number) * scale:f}")


def _character_run(numbers: Numbers) -> re.Pattern[str] | None:
    if not numbers.characters:
        return None
    characters = "".join(numbers.characters)
    return re.compile(f"[{characters}]+(?:[{POINTS}][{characters}]+)?")


def _blank(match: re.Match[str]) -> str:
    return "\0" * len(match.group())


def _apart(items: Iterable[Item]) -> list[Item]:
    """The items, in order, without those that begin inside the one before."""
    found: list[Item] = []
    for item in items:
        if not found or item.start >= found[-1].end:
            found.append(item)
    return found
