"""What a language file contains, section by section, and the strict loading of the ten of them.

Every class here mirrors a table of `languages/<code>.toml`; no field has a default, so that a forgotten list
is an error at the start and never a silent rule of another language.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from guardrails.strict_toml import LanguageFileError, read

__all__ = ["CODES", "Language", "LanguageFileError", "available", "load"]

CODES = ("en", "fa", "ar", "es", "pt", "fr", "de", "ru", "hi", "zh")
_FOLDER = Path(__file__).parent / "languages"


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """How words of the language are told apart and which of them carry no subject."""

    stop: frozenset[str]
    respellings: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One language file."""

    code: str
    name: str
    words: Words


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
