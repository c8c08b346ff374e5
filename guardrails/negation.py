"""Whether a plain text denies: one of the language's words of denial, or one of the strings that deny inside a word."""

import re
from collections.abc import Collection
from functools import cache

from guardrails.language import load
from guardrails.latch_sections import expand
from guardrails.one_of import one_of
from guardrails.plain import plain, rough_words


def denies(text: str, language: str, words: Collection[str] | None = None) -> bool:
    """Whether a plain text holds a denial; it does not say of what. `words` are its rough words, where known."""
    denials, anywhere = _denials(language)
    if not denials.isdisjoint(rough_words(text) if words is None else words):
        return True
    return anywhere.search(text) is not None


@cache
def _denials(language: str) -> tuple[frozenset[str], re.Pattern[str]]:
    data = load(language).negation
    entries = list(map(plain, expand(data.words)))
    words = frozenset(entry for entry in entries if rough_words(entry) == [entry])
    # "can't" and "no longer" are more than one word, and are nothing else where they stand.
    return words, re.compile(one_of((*(entry for entry in entries if entry not in words), *map(plain, data.anywhere))))
