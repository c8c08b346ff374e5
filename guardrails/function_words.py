"""Which language a question speaks, as far as its function words tell: French "du" is no German "you"."""

import re
from collections import Counter

from guardrails.language import available
from guardrails.readings import Reading
from guardrails.text import folded_stop_words

_NOT_LATIN = re.compile(r"[^\W\d_A-Za-z\u00aa-\u024f]")
# One may be a word of any language ("me", "no"), and a letter tells nothing.
_TELLING = 2


def spoken(reading: Reading) -> Counter[str]:
    """How many different function words of each language it has."""
    return _count(set(reading.words))


def foreign_languages(reading: Reading) -> frozenset[str]:
    """The languages that a question in Latin letters is clearly not in, whatever loanwords it shares with them.

    In other letters it may hold words of any language: "Переведи: I love you".
    """
    telling = _count({word for word in reading.words if len(word) > 1})
    if _NOT_LATIN.search(reading.text) or max(telling.values(), default=0) < _TELLING:
        return frozenset()
    return frozenset(available()) - spoken(reading).keys()


def _count(words: set[str]) -> Counter[str]:
    return Counter(code for word in words for code in available() if word in folded_stop_words(code))
