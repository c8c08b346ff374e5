"""Whether a plain text denies: one of the language's words of denial, or one of the strings that deny inside a word."""

from functools import cache

from guardrails.language import load
from guardrails.latch_sections import expand
from guardrails.plain import plain, rough_words


def denies(text: str, language: str) -> bool:
    """Whether a plain text holds a denial; it does not say of what."""
    words, anywhere = _denials(language)
    return not words.isdisjoint(rough_words(text)) or any(part in text for part in anywhere)


@cache
def _denials(language: str) -> tuple[frozenset[str], tuple[str, ...]]:
    data = load(language).negation
    entries = list(map(plain, expand(data.words)))
    words = frozenset(entry for entry in entries if rough_words(entry) == [entry])
    # "can't" and "no longer" are more than one word, and are nothing else where they stand.
    return words, (*(entry for entry in entries if entry not in words), *map(plain, data.anywhere))
