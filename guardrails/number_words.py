"""Numbers and months written in words: the lexicon of a language, and the runs of words that make one number.

Reads "two hundred and fifty thousand", "fünfunddreißig", "سی و پنج", "خمسة وثلاثون". What a number counts, and
whether it is supported, is decided elsewhere.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from guardrails.latch_sections import Dates, Numbers, expand
from guardrails.one_of import one_of
from guardrails.plain import WORD, parted, plain

Kind = Literal["word", "weak", "scale", "fraction", "joiner", "half_before", "half_after", "month", "skip"]
# Longer words are no number words; the bound keeps the taking apart of compounds cheap.
_LONGEST = 60
_LONGEST_PHRASE = 4


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
        self._phrases: dict[str, list[tuple[tuple[str, ...], Entry]]] = {}
        self._fill(numbers, dates)
        for phrases in self._phrases.values():
            phrases.sort(key=lambda phrase: -len(phrase[0]))
        self._joining = frozenset(
            word for word, phrases in self._phrases.items() if all(_only_joins(*phrase) for phrase in phrases)
        )
        self._telling = frozenset(self._phrases) - self._joining
        self._units_first = numbers.units_first
        self._compounds = _Compounds(numbers) if numbers.compound else None

    def find(self, text: str, words: Sequence[str]) -> list[Found]:
        """The entries in a plain text with these rough words, the longest at each place."""
        if self._telling.isdisjoint(words) and self._compounds is None:
            return []
        known = {at for at, word in enumerate(words) if word in self._phrases}
        if self._compounds is not None:
            known |= {at for at, parts in enumerate(map(self._compounds.__getitem__, words)) if parts}
        # Most texts hold an "a" or an "and": they say nothing where no other number word is beside them.
        sure = {at for at in known if words[at] not in self._joining}
        near = {place for at in sure for place in range(at - _LONGEST_PHRASE + 1, at + 2)}
        telling = near & known
        return list(self._find(text, words, sorted(telling))) if telling else []

    def _find(self, text: str, words: Sequence[str], places: Sequence[int]) -> Iterator[Found]:
        bounded = f" {parted(text)} "
        place = beyond = 0
        for at in places:
            if at < beyond:
                continue
            word = words[at]
            place = _place(bounded, words, beyond, at, place)
            for phrase, entry in self._phrases.get(word, ()):
                end = place + len(word) if len(phrase) == 1 else _end(text, words, at, place, phrase)
                if end:
                    yield Found(entry, place, end)
                    beyond, place = at + len(phrase), end
                    break
            else:
                beyond, end = at + 1, place + len(word)
                if self._compounds is not None:
                    yield from (Found(entry, place, end) for entry in self._compounds[word])
                place = end

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
                    sure = name not in dates.unsure_months
                    self._add(name, Entry("month", number, bare=sure, calendar=calendar))

    def _add(self, phrase: str, entry: Entry) -> None:
        for reading in expand((phrase,)):
            words = tuple(WORD.findall(plain(reading)))
            if not words:
                continue
            known = self._phrases.setdefault(words[0], [])
            # What was added first stands: "mil" is a scale that counts alone, not a word and a scale.
            if all(words != other for other, _ in known):
                known.append((words, entry))

    def spelled(self, found: Sequence[Found], text: str) -> list[SpelledNumber]:
        """The numbers that the entries of a plain text make."""
        numbers: list[SpelledNumber] = []
        run: list[Found] = []
        for item in found:
            if item.entry.kind in ("skip", "month"):
                continue
            if run and text[run[-1].end : item.start].strip(" -\u00a0\u202f"):
                numbers += self._read(run)
                run = []
            run.append(item)
        return numbers + self._read(run)

    def _read(self, run: Sequence[Found]) -> list[SpelledNumber]:
        if len(run) == 1 and run[0].entry.kind in ("word", "weak"):
            found = run[0]
            return [SpelledNumber(found.entry.value, found.start, found.end, weak=found.entry.kind == "weak")]
        return _Runs(run, units_first=self._units_first).numbers()


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


def _only_joins(phrase: tuple[str, ...], entry: Entry) -> bool:
    """Whether an entry means nothing without number words beside it: "and", "a", the "in" of "in two minds"."""
    article = entry.kind == "weak" and entry.value == 1 and len(phrase[0]) <= 2
    return entry.kind in ("joiner", "half_after", "skip") or article


def _place(bounded: str, words: Sequence[str], first: int, at: int, start: int) -> int:
    """Where word `at` stands, when word `first` stands at `start` or after; every word has spaces around."""
    word = words[at]
    place = start
    for _ in range(words[first:at].count(word) + 1):
        start = bounded.index(f" {word} ", start)
        place, start = start, start + len(word)
    return place


def _end(text: str, words: Sequence[str], at: int, place: int, phrase: Sequence[str]) -> int:
    """Where the phrase ends, if it stands at `place` from word `at` on; else 0."""
    place += len(phrase[0])
    for word, expected in zip(words[at + 1 : at + len(phrase)], phrase[1:], strict=False):
        if word != expected:
            return 0
        start = text.index(word, place)
        # A comma or a line between two words parts them; hyphens, apostrophes and the stops of "a.m." do not.
        if text[place:start].strip(" \u00a0\u202f").strip("-'/."):
            return 0
        place = start + len(word)
    return place if at + len(phrase) <= len(words) else 0


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
