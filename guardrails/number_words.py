"""Numbers and months written in words: the lexicon of a language, and the runs of words that make one number.

Reads "two hundred and fifty thousand", "fünfunddreißig", "سی و پنج", "خمسة وثلاثون". What a number counts, and
whether it is supported, is decided elsewhere.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal, NamedTuple

from guardrails.latch_sections import Dates, Numbers, expand
from guardrails.one_of import NOTHING, one_of
from guardrails.plain import WORD, WORD_END, plain, rough_words

Kind = Literal["word", "weak", "scale", "fraction", "joiner", "half_before", "half_after", "month", "dotted", "skip"]
# Longer words are no number words; the bound keeps the taking apart of compounds cheap.
_LONGEST = 60
_LONGEST_PHRASE = 4
_FURTHEST = _LONGEST * _LONGEST_PHRASE
_SPACE = "[ \u00a0\u202f]"
# What a month's short form has that is another word without: its stop, and a day before it or a year behind it.
_STOPS = ".\u0970"
_DAY_BEFORE = re.compile(rf"\d\S{{0,2}}{_SPACE}(?:[^\W\d]{{1,3}}{_SPACE})?\Z")
_YEAR_BEHIND = re.compile(rf"[{_STOPS}]{_SPACE}?(?:[^\W\d]{{1,3}}{_SPACE})?\d{{4}}(?!\d)")
_AS_FAR = 10
_GAP = f"(?:{_SPACE}+[-'/.]*{_SPACE}*|[-'/.]+{_SPACE}*)"


@dataclass(frozen=True, slots=True)
class Entry:
    """What a word or phrase of the lexicon means; `bare` scales count without a number before them."""

    kind: Kind
    value: float
    joined: bool = False
    bare: bool = False
    calendar: str = ""


class Found(NamedTuple):
    """An entry as it stands in a plain text."""

    entry: Entry
    start: int
    end: int


class SpelledNumber(NamedTuple):
    """A number in words; a weak one may be an article or an ordinal, and is never demanded of a source."""

    value: float
    start: int
    end: int
    weak: bool


class Lexicon:
    """The number and month words of one language."""

    def __init__(self, numbers: Numbers, dates: Dates) -> None:
        # By first word, and by what follows it, nothing for a word alone.
        self._phrases: dict[str, dict[str, Entry]] = {}
        self._dotted: dict[str, Entry] = {}
        self._fill(numbers, dates)
        self._joining = frozenset(
            first
            for first, phrases in self._phrases.items()
            if all(_only_joins(first, entry) for entry in phrases.values())
        )
        self._rests = {first: _following(filter(None, phrases)) for first, phrases in self._phrases.items()}
        self._words = frozenset(WORD.findall(" ".join(self.phrases())))
        self._units_first = numbers.units_first
        self._compounds = _Compounds(numbers) if numbers.compound else None
        sure = one_of(first for first in self._phrases if first not in self._joining) + "(?= )"
        self._sure = re.compile(f" ({sure}|{self._compounds.begin})" if self._compounds is not None else f" ({sure})")

    def phrases(self) -> Iterator[str]:
        """Yield the first words of all phrases, and what follows them."""
        return chain(self._phrases, *self._phrases.values())

    def knows(self, word: str) -> bool:
        """Whether a plain word is in the lexicon, alone or in a phrase, or made of its words."""
        return word in self._words or (self._compounds is not None and bool(self._compounds[word]))

    def sure(self, bounded: str) -> list[re.Match[str]]:
        """The words without which a text has no number and no month, by its form of `parted` between two spaces."""
        found = self._sure.finditer(bounded)
        if self._compounds is None:
            return list(found)
        return [match for match in found if match[1] in self._phrases or self._compounds[match[1]]]

    def _begun(self, bounded: str, sure: Sequence[re.Match[str]]) -> Iterator[tuple[int, str]]:
        """Where words of the lexicon stand, and which: the sure ones, and others up to three words before or one
        word behind. Most texts hold an "a" or an "and", which says nothing where no other number word is near."""
        end = 0
        for match in sure:
            place, word = match.start(), match[1]
            before = bounded[max(end, place - _FURTHEST) : place]
            last = before.rsplit(None, _LONGEST_PHRASE - 1)[1 - _LONGEST_PHRASE :]
            if not self._joining.isdisjoint(last):
                yield from self._joining_before(bounded, last, place)
            yield place, word
            end = match.end()
            if (after := bounded[end : end + _LONGEST].split(None, 1)) and after[0] in self._joining:
                place = bounded.index(after[0], end)
                yield place - 1, after[0]
                end = place + len(after[0])

    def _joining_before(self, bounded: str, words: Sequence[str], end: int) -> list[tuple[int, str]]:
        """The joining words among the last words before `end`."""
        found: list[tuple[int, str]] = []
        for word in reversed(words):
            end = bounded.rindex(word, 0, end)
            if word in self._joining:
                found.append((end - 1, word))
        return found[::-1]

    def _find(self, text: str, begun: Iterable[tuple[int, str]]) -> Iterator[Found]:
        beyond = 0
        for place, word in begun:
            if place < beyond:
                continue
            end = place + len(word)
            rests = self._rests.get(word)
            rest = rests.match(text, end) if rests else None
            entry = self._phrases[word].get(_joined(rest.group()) if rest else "") if word in self._phrases else None
            if entry:
                beyond = rest.end() if rest else end
                if word in self._dotted and _is_dated(text, place, end):
                    entry = self._dotted[word]
                if entry.kind != "dotted":
                    yield Found(entry, place, beyond)
            elif self._compounds is not None:
                yield from (Found(entry, place, end) for entry in self._compounds[word])

    def _fill(self, numbers: Numbers, dates: Dates) -> None:
        values = {**numbers.weak, **numbers.words}
        for phrase in numbers.exceptions:
            self._add(phrase, Entry("skip", 0))
        for phrase, value in numbers.scales.items():
            self._add(phrase, Entry("scale", value, bare=phrase in numbers.words))
        for phrase, value in values.items():
            self._add(phrase, Entry("word" if phrase in numbers.words else "weak", value))
        for clitic in numbers.clitics:
            self._fill_clitic(clitic, numbers)
        for fraction, amount in numbers.fractions.items():
            self._add(fraction, Entry("fraction", amount))
        groups: tuple[tuple[Iterable[str], Kind], ...] = (
            (numbers.halves_after, "half_after"),
            (numbers.halves_before, "half_before"),
            (numbers.joiners, "joiner"),
        )
        for phrases, kind in groups:
            for phrase in phrases:
                self._add(phrase, Entry(kind, 0.5))
        self._fill_months(dates)

    def _fill_clitic(self, clitic: str, numbers: Numbers) -> None:
        joined = clitic in numbers.joiners
        for phrase, value in {**numbers.weak, **numbers.words}.items():
            kind: Kind = "word" if phrase in numbers.words else "weak"
            self._add(clitic + phrase, Entry(kind, value, joined=joined))
        for phrase, value in numbers.scales.items():
            self._add(clitic + phrase, Entry("scale", value, joined=joined, bare=phrase in numbers.words))

    def _fill_months(self, dates: Dates) -> None:
        calendars = {"gregorian": dates.gregorian, "jalali": dates.jalali, "hijri": dates.hijri}
        for calendar, months in calendars.items():
            for number, names in enumerate(months, 1):
                for name in names.split("|"):
                    month = Entry("month", number, bare=name not in dates.unsure_months, calendar=calendar)
                    if name.endswith(tuple(_STOPS)):
                        self._dotted.update(dict.fromkeys(WORD.findall(plain(name)), month))
                        month = Entry("dotted", number)
                    self._add(name, month)

    def _add(self, phrase: str, entry: Entry) -> None:
        for reading in expand((phrase,)):
            words = tuple(WORD.findall(plain(reading)))
            if not words:
                continue
            # What was added first stands: "mil" is a scale that counts alone, not a word and a scale.
            self._phrases.setdefault(words[0], {}).setdefault(" ".join(words[1:]), entry)

    def read(self, text: str, bounded: str, sure: Sequence[re.Match[str]]) -> tuple[list[Found], list[SpelledNumber]]:
        """The months and the numbers of a plain text, by its sure words, which stand in `bounded`."""
        months: list[Found] = []
        numbers: list[SpelledNumber] = []
        run: list[Found] = []
        for found in self._find(text, self._begun(bounded, sure)):
            kind = found.entry.kind
            if kind == "month":
                months.append(found)
            elif kind != "skip":
                if run and text[run[-1].end : found.start].strip(" -\u00a0\u202f"):
                    numbers += self._number(run)
                    run = []
                run.append(found)
        if run:
            numbers += self._number(run)
        return months, numbers

    def _number(self, run: Sequence[Found]) -> Sequence[SpelledNumber]:
        if len(run) > 1 or run[0].entry.kind == "half_before":
            return _Runs(run, units_first=self._units_first).numbers()
        ((entry, start, end),) = run
        if entry.kind in ("joiner", "half_after"):
            return ()
        weak = entry.kind == "weak" or (entry.kind == "scale" and not entry.bare)
        return (SpelledNumber(entry.value, start, end, weak),)


class _Runs:
    """Reads adjacent entries into one number or several."""

    def __init__(self, entries: Sequence[Found], *, units_first: bool) -> None:
        self._entries = entries
        self._units_first = units_first
        self._found: list[SpelledNumber] = []
        self._reset()

    def _reset(self) -> None:
        self._total = 0.0
        self._current: float | None = None
        self._scale = float("inf")
        self._used: list[Found] = []
        self._joined = False
        self._half = 0.0

    def numbers(self) -> list[SpelledNumber]:
        for item in self._entries:
            self._take(item)
        self._close()
        return self._found

    def _take(self, item: Found) -> None:
        entry = item.entry
        if entry.kind == "joiner":
            self._joined = bool(self._used)
            return
        joined, self._joined = self._joined or entry.joined, False
        if entry.kind == "half_before":
            self._close()
            self._half = 0.5
        elif entry.kind == "half_after":
            if not self._used:
                return
            if self._current is None:
                # "A million and a half" is half a million more.
                self._total += 0.5 * self._scale
            else:
                self._current += 0.5
        elif entry.kind == "scale":
            self._multiply(entry)
        else:
            self._add(entry.value + self._half, joined=joined)
            self._half = 0.0
        self._used.append(item)

    def _multiply(self, entry: Entry) -> None:
        if entry.value < 1000 and self._current is not None and self._current < 100:
            self._current *= entry.value
        elif entry.value < 1000:
            self._add(entry.value, joined=True)
        elif self._current is None and self._used and entry.value > self._scale:
            self._total *= entry.value
        else:
            if self._used and (entry.value >= self._scale or self._current is None):
                self._close()
            self._total += (1 if self._current is None else self._current) * entry.value
            self._scale = entry.value
            self._current = None

    def _add(self, value: float, *, joined: bool) -> None:
        current = self._current
        if current is None:
            if value >= self._scale:
                self._close()
            self._current = value
        elif self._continues(current, value, joined=joined):
            self._current = current + value
        else:
            self._close()
            self._current = value

    def _continues(self, current: float, value: float, *, joined: bool) -> bool:
        tens = current % 100
        if value >= 100:
            return False
        if tens == 0:
            return current >= 100 and value > 0
        if tens >= 20 and tens % 10 == 0:
            # French counts on from sixty and eighty by teens.
            return 0 < value < 10 or (tens in (60, 80) and 10 <= value < 20)
        return self._units_first and joined and tens < 10 and value >= 20 and value % 10 == 0

    def _close(self) -> None:
        if self._used:
            kinds = [item.entry for item in self._used]
            lone = len(kinds) == 1 and (kinds[0].kind == "weak" or (kinds[0].kind == "scale" and not kinds[0].bare))
            value = self._total + (self._current or 0)
            self._found.append(SpelledNumber(value, self._used[0].start, self._used[-1].end, lone))
        self._reset()


def _is_dated(text: str, start: int, end: int) -> bool:
    """Whether a word with a stop behind it stands in a date."""
    if text[end : end + 1] not in tuple(_STOPS):
        return False
    day = _DAY_BEFORE.search(text[max(0, start - _AS_FAR) : start])
    return day is not None or _YEAR_BEHIND.match(text, end) is not None


def _only_joins(first: str, entry: Entry) -> bool:
    """Whether an entry means nothing without number words beside it: "and", "a", the "in" of "in two minds"."""
    article = entry.kind == "weak" and entry.value == 1 and len(first) <= 2
    return entry.kind in ("joiner", "half_after", "skip") or article


def _following(rests: Iterable[str]) -> re.Pattern[str] | None:
    """An expression for one of the rests of phrases after their first word, None without any."""
    expression = one_of(rests)
    if expression == NOTHING:
        return None
    # A comma or a line between two words parts them; hyphens, apostrophes and the stops of "a.m." do not.
    return re.compile(_GAP + expression.replace(re.escape(" "), _GAP) + WORD_END)


def _joined(words: str) -> str:
    return " ".join(rough_words(words))


class _Compounds(dict[str, tuple[Entry, ...]]):
    """Number words that are written together, as German does: the parts of each word, found when it is first met."""

    # Room for the words of a large site; rarer ones are taken apart anew.
    ROOM = 20_000

    def __init__(self, numbers: Numbers) -> None:
        super().__init__()
        self._entries = {
            **{plain(word): Entry("joiner", 0) for word in numbers.joiners},
            **{plain(word): Entry("weak", value) for word, value in numbers.weak.items()},
            **{plain(word): Entry("word", value) for word, value in numbers.words.items()},
            # Last, so that "hundert", a word as well, multiplies in "zweihundert".
            **{plain(word): Entry("scale", value) for word, value in numbers.scales.items()},
        }
        parts = one_of(self._entries)
        self.begin = f"{parts}[^ ]*"
        self._part = re.compile(parts)
        self._whole = re.compile(f"(?:{parts})+")

    def __missing__(self, word: str) -> tuple[Entry, ...]:
        if len(word) > _LONGEST:
            return ()
        whole = self._whole.fullmatch(word)
        parts = tuple(self._entries[part] for part in self._part.findall(word)) if whole else ()
        if len(self) < self.ROOM:
            self[word] = parts
        return parts
