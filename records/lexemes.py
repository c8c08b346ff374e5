"""The words that keyword search goes by, in our own folding: no dictionary or locale of the server takes part."""

import re
from collections.abc import Iterable

from guardrails.language import available
from guardrails.text import HAN, words

LONGEST = 250  # characters of a lexeme: PostgreSQL takes 2,046 bytes
_HAN_PAIR = re.compile(f"[{HAN}]{{2}}")


def rules_of(language: str) -> str:
    """Return the language whose rules read a text; English, which respells nothing, where a language has no file."""
    return language if language in available() else "en"


def terms(text: str, language: str) -> list[str]:
    """Return a text's folded words in order, repeated as often as they occur."""
    return with_han_singles(word.text for word in words(text, rules_of(language)))


def with_han_singles(found: Iterable[str]) -> list[str]:
    """Add to each pair of Han characters its two characters: ranking needs both, coverage counts pairs alone."""
    return [term for word in found for term in ((word, *word) if _HAN_PAIR.fullmatch(word) else (word,))]


def tsvector(own: Iterable[str], context: Iterable[str]) -> str:
    """Return a `tsvector` literal: a passage's own words with weight A, those of its context with weight D."""
    weights = dict.fromkeys(context, "D") | dict.fromkeys(own, "A")
    return " ".join(f"{quoted(word)}:1{weight}" for word, weight in weights.items())


def tsquery(wanted: Iterable[str]) -> str | None:
    """Return a `tsquery` literal that any of the words satisfies, or None for no words."""
    return " | ".join(quoted(word) for word in dict.fromkeys(wanted)) or None


def quoted(word: str) -> str:
    """Return a word as the two literals want it."""
    return "'" + word[:LONGEST].replace("\\", "\\\\").replace("'", "''") + "'"
