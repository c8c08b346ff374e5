"""A fifth check, off by default: does the cited source carry the sentence's words, and its denial?

Only where sentence and source share a language. It compares weighted word coverage and negation; it does not
understand, and its false blocks must be measured before it is switched on.
"""

import math
from collections.abc import Sequence

from guardrails.negation import denies
from guardrails.plain import plain
from guardrails.sources import Source
from guardrails.text import content_words

# Longer words say more of what a sentence is about than shorter ones; a corpus to count them in is not at hand.
_LEAST_COVERAGE = 0.5


def lacks_support(sentence: str, language: str, cited: Sequence[Source], delivered: Sequence[Source]) -> str | None:
    """What the cited sources do not carry, or None; None too where no cited source is in the language."""
    same = [source for source in cited if source.language == language]
    words = set(content_words(sentence, language))
    if not same or not words or len(same) < len(cited):
        return None
    held = [source.content_words for source in delivered]
    weights = {word: _weight(word, held) for word in words}
    total = sum(weights.values())
    carried = sum(weight for word, weight in weights.items() if any(word in source.content_words for source in same))
    if carried < _LEAST_COVERAGE * total:
        return f"the cited sources carry {carried / total:.0%} of the words"
    if denies(plain(sentence), language) and not any(source.denies for source in same):
        return "denies what no cited source denies"
    return None


def _weight(word: str, held: Sequence[frozenset[str]]) -> float:
    """Inverse document frequency over the delivered sources, smoothed: ln((n + 1) / (df + 1)) + 1."""
    holding = sum([word in words for words in held])
    return math.log((len(held) + 1) / (holding + 1)) + 1
