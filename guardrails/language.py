"""What a language file contains, section by section, and the strict loading of the ten of them.

Every class here mirrors a table of `languages/<code>.toml`; no field has a default, so that a forgotten list
is an error at the start and never a silent rule of another language.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from guardrails.latch_sections import Dates, Linking, Negation, Numbers, PersonalData, Present, Quotes, Sentences, Voice
from guardrails.strict_toml import LanguageFileError, read

__all__ = ["CODES", "Language", "LanguageFileError", "available", "load"]

CODES = ("en", "fa", "ar", "es", "pt", "fr", "de", "ru", "hi", "zh")
_FOLDER = Path(__file__).parent / "languages"


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """How words are told apart, which carry no subject, and what may be written onto or around them."""

    stop: frozenset[str]
    respellings: Mapping[str, str]
    proclitics: frozenset[str]
    enclitics: frozenset[str]
    bound_endings: Mapping[str, str]
    gap: int
    greetings: frozenset[str]
    openers: frozenset[str]
    closers: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """Templates that say the same thing, when they don't count, and examples that prove both."""

    name: str
    templates: tuple[str, ...]
    unless: tuple[str, ...]
    blocks: tuple[str, ...]
    allows: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.templates or len(self.blocks) < 2 or len(self.allows) < 2:
            raise ValueError(f"{self.name!r} needs a template, two `blocks` and two `allows` at least")


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """The words that stand for the owner in a question, and the forms of address before and behind a name."""

    pronouns: frozenset[str]
    possessives: frozenset[str]
    titles: frozenset[str]
    titles_after: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """What is refused before anything is searched, by category."""

    commercial: tuple[Pattern, ...]
    private: tuple[Pattern, ...]
    speculation: tuple[Pattern, ...]
    meta: tuple[Pattern, ...]
    task: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Routing:
    """Questions about the work as a whole, by topic, and questions about the owner that are not."""

    now: tuple[Pattern, ...]
    recent: tuple[Pattern, ...]
    career: tuple[Pattern, ...]
    projects: tuple[Pattern, ...]
    research: tuple[Pattern, ...]
    writing: tuple[Pattern, ...]
    education: tuple[Pattern, ...]
    skills: tuple[Pattern, ...]
    services: tuple[Pattern, ...]
    overview: tuple[Pattern, ...]
    about: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUps:
    """How a question leans on the one before, and the words for positions in a list."""

    pronoun: tuple[Pattern, ...]
    ellipsis: tuple[Pattern, ...]
    more: tuple[Pattern, ...]
    position: tuple[Pattern, ...]
    positions: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Commitment:
    """Statements of a fee, an availability or a commitment of the owner, in answers."""

    statements: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRefusal:
    """How a model declines in prose, and how it says in prose that it has found nothing."""

    declines: tuple[Pattern, ...]
    unanswered: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One language file."""

    code: str
    name: str
    words: Words
    owner: Owner
    sets: Mapping[str, tuple[str, ...]]
    refusal: Refusal
    routing: Routing
    followup: FollowUps
    sentences: Sentences
    numbers: Numbers
    dates: Dates
    voice: Voice
    quotes: Quotes
    linking: Linking
    personal_data: PersonalData
    negation: Negation
    present: Present
    commitment: Commitment
    model_refusal: ModelRefusal


@cache
def load(code: str) -> Language:
    """The language of a code; raises LanguageFileError for a faulty file and for a code that has none."""
    if code not in CODES:
        raise LanguageFileError(f"{code!r} is not among the languages: {', '.join(CODES)}")
    return read(_FOLDER / f"{code}.toml", Language)


@cache
def available() -> tuple[str, ...]:
    """The codes that have a file, in the order of CODES."""
    return tuple(code for code in CODES if (_FOLDER / f"{code}.toml").is_file())
