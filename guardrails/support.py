"""A fifth check, off by default: does the cited source carry the sentence's words, and its denial?

Only where sentence and source share a language. It compares weighted word coverage and negation; it does not
understand. `python -m bench support` measures what it holds back.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence, Set
from functools import lru_cache
from itertools import chain

from guardrails.negation import denies
from guardrails.plain import plain
from guardrails.sources import Source
from guardrails.text import content_words

# Longer words say more of what a sentence is about than shorter ones; a corpus to count them in is not at hand.
_LEAST_COVERAGE = 0.5
# A sentence of the source is taken up where it carries half as much as the best does, or half of it is in this one:
# of two that were joined, the denial may stand in the shorter.
_AS_MUCH = 0.5
# So many sentences of a source are looked up before all of it is read: a sentence of an answer joins two, rarely more.
_LOOKED_UP = 3


def lacks_support(
    sentence: str,
    language: str,
    cited: Sequence[Source],
    delivered: Sequence[Source],
    denial: Callable[[], bool] | None = None,
) -> str | None:
    """What the cited sources do not carry, or None; None too where a cited source is in another language.

    `denial` says whether the sentence denies, where the caller has read it already.
    """
    words = frozenset(content_words(sentence, language))
    if not words or not cited or {source.language for source in cited} != {language}:
        return None
    spared = _spared(len(words), len(delivered))
    if not _stand_together(words, cited, spared):
        missing = words.difference(*[source.content_words for source in cited])
        if len(missing) > spared:
            weights = _weights(words, delivered)
            total = math.fsum(weights.values())
            carried = math.fsum(map(weights.__getitem__, words - missing))
            if carried < _LEAST_COVERAGE * total:
                return f"the cited sources carry {carried / total:.0%} of the words"
    denied = denial() if denial else denies(plain(sentence), language)
    if denied and not _denied(words, delivered, cited):
        return "denies what no cited source denies"
    return None


def _stand_together(words: Set[str], cited: Sequence[Source], spared: int) -> bool:
    """Whether a few sentences of the sources, where the longest words stand, carry all but so many: then no more is
    read."""
    missing = words
    for source in cited:
        untried = missing
        for _ in range(_LOOKED_UP):
            word = max(untried, key=len, default="")
            if word and (sentence := source.sentence_with(word)):
                missing = missing - sentence.words
                if len(missing) <= spared:
                    return True
                untried = untried - sentence.words
            untried -= {word}
    return False


@lru_cache(maxsize=1024)
def _spared(words: int, delivered: int) -> int:
    """How many words may be missing if each weighs the most that it can, and the others the least."""
    most, least = _most_and_least(delivered)
    carried, lacking = least * (1 - _LEAST_COVERAGE), most * _LEAST_COVERAGE
    return sum((words - missing) * carried >= missing * lacking for missing in range(1, words + 1))


def _most_and_least(delivered: int) -> tuple[float, float]:
    """The weight of a word that no source has, and of one that all have."""
    return _weight(0, delivered), _weight(delivered, delivered)


def _denied(words: Set[str], delivered: Sequence[Source], cited: Sequence[Source]) -> bool:
    """Whether a sentence of the sources denies that says much the same as this one, or that this one takes up."""
    said = [(words & sentence.words, sentence) for source in cited for sentence in source.sentences]
    denying = [(shared, sentence) for shared, sentence in said if sentence.denies]
    if any(len(shared) >= _AS_MUCH * len(sentence.words) for shared, sentence in denying):
        return True
    most, least = _most_and_least(len(delivered))
    if any(all(len(other - shared) * most < len(shared) * least for other, _ in said) for shared, _ in denying):
        # However the words weigh, none carries more than twice as much.
        return True
    weights = _weights(words, delivered)
    carried = [math.fsum(map(weights.__getitem__, shared)) for shared, _ in said]
    enough = _AS_MUCH * max(carried)
    return any(sentence.denies and weight >= enough for weight, (_, sentence) in zip(carried, said, strict=True))


def _weights(words: Set[str], delivered: Sequence[Source]) -> dict[str, float]:
    """Inverse document frequency over the delivered sources, smoothed: ln((n + 1) / (df + 1)) + 1."""
    holding = Counter(chain.from_iterable(words & source.content_words for source in delivered))
    return {word: _weight(holding[word], len(delivered)) for word in words}


def _weight(holding: int, delivered: int) -> float:
    return math.log((delivered + 1) / (holding + 1)) + 1
