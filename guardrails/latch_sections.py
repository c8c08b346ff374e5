"""What a language file says for the latch: sentence ends, numbers, dates, voice, quotations, commitments.

Schemas alone, read by `language.py`; no field has a default. A list entry may hold one choice in braces,
`{part|chapter} i`, which stands for each of its readings.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentences:
    """Where a full stop does not end a sentence. Entries are written with their dots; `#` is a number."""

    abbreviations: frozenset[str]
    doubtful_abbreviations: frozenset[str]
    final_abbreviations: frozenset[str]
    number_abbreviations: frozenset[str]
    ordinal_dot: bool
    starters: frozenset[str]
    name_words: frozenset[str]
    openers: str
    closers: str
    ends_inside_quotes: str
    attributions: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """How numbers are written, in digits and in words."""

    decimal: str
    group: str
    unsure: str
    words: Mapping[str, int]
    weak: Mapping[str, int]
    scales: Mapping[str, int]
    money_scales: Mapping[str, int]
    fractions: Mapping[str, float]
    minus: frozenset[str]
    halves_after: frozenset[str]
    halves_before: frozenset[str]
    joiners: frozenset[str]
    clitics: frozenset[str]
    compound: bool
    units_first: bool
    characters: Mapping[str, int]
    counters: frozenset[str]
    exceptions: frozenset[str]
    percent: frozenset[str]
    percent_before: frozenset[str]
    currencies: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """Months, the order of numeric dates, ranges and times of day."""

    order: tuple[str, ...]
    gregorian: tuple[str, ...]
    jalali: tuple[str, ...]
    hijri: tuple[str, ...]
    unsure_months: frozenset[str]
    month_openers: frozenset[str]
    between: frozenset[str]
    range_words: frozenset[str]
    year_marks: frozenset[str]
    month_marks: frozenset[str]
    day_marks: frozenset[str]
    hour_marks: frozenset[str]
    minute_marks: frozenset[str]
    am: frozenset[str]
    pm: frozenset[str]
    twelve_hours: bool

    def __post_init__(self) -> None:
        if len(self.gregorian) != 12 or {len(self.jalali), len(self.hijri)} - {0, 12}:
            raise ValueError("a calendar has twelve months, or none")


@dataclass(frozen=True, slots=True, kw_only=True)
class Forms:
    """Every prefix with every stem with every ending; an empty one is written out as ''."""

    prefixes: tuple[str, ...]
    stems: tuple[str, ...]
    endings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Endings:
    """Every word that begins and ends so, with `least` letters between, but for the exceptions.

    Without beginnings it may begin anyhow.
    """

    beginnings: tuple[str, ...]
    least: int
    endings: tuple[str, ...]
    exceptions: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """The words by which a text speaks of itself in the first person, and where they do not."""

    words: frozenset[str]
    marked: frozenset[str]
    anywhere: frozenset[str]
    forms: tuple[Forms, ...]
    endings: tuple[Endings, ...]
    exact_exceptions: frozenset[str]
    exceptions: frozenset[str]
    title_case: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotes:
    """Pairs of quotation marks, two characters each; those of titles apart."""

    pairs: tuple[str, ...]
    titles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Linking:
    """Words that may stand in a short sentence without a source, and those that join the items of a list."""

    words: frozenset[str]
    conjunctions: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalData:
    """Words beside a number that say what it is: somebody's id, card or phone, or the number of a thing."""

    ids: frozenset[str]
    cards: frozenset[str]
    phones: frozenset[str]
    other_numbers: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Negation:
    """Words that deny; `anywhere` are strings that deny inside any word."""

    words: frozenset[str]
    anywhere: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Present:
    """Words and phrases that say of something that it holds today, and nothing else."""

    words: frozenset[str]


def expand(entries: Iterable[str]) -> list[str]:
    """Every reading of entries that hold a choice in braces."""
    found: list[str] = []
    for entry in entries:
        head, brace, rest = entry.partition("{")
        choice, closing, tail = rest.partition("}")
        if not brace or not closing:
            found.append(entry)
        else:
            found += expand(head + reading + tail for reading in choice.split("|"))
    return found
