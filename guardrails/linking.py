"""Which sentences need no source: those that only link others.

At most six words (three Chinese characters count as two), no value, and no content word that is neither a linking
word of the language nor a word of a delivered source. A sentence without words, such as a rule, needs none either.
"""

import re
from collections.abc import Sequence
from functools import cache

from guardrails.language import load
from guardrails.latch_sections import expand
from guardrails.one_of import one_of
from guardrails.sources import Source
from guardrails.text import HAN, WORD, content_words, fold

_MOST_WORDS = 6
_HAN_WORDS = 2 / 3
_HAN_RUN = re.compile(f"[{HAN}]+")
_WORD = re.compile(WORD)


def is_linking(
    sentence: str, language: str, sources: Sequence[Source], *, has_value: bool, folded: str | None = None
) -> bool:
    """Whether a sentence without a marker may pass. `folded` is its matching form, where it is known."""
    if has_value:
        return False
    folded = fold(sentence).text if folded is None else folded
    han = [] if folded.isascii() else _HAN_RUN.findall(folded)
    words = _WORD.findall(folded)
    if not han and not words:
        return True
    if len(words) + sum(map(len, han)) * _HAN_WORDS > _MOST_WORDS:
        return False
    return _known_words(sentence, language, sources) and (not han or _known_han(han, language, sources))


def _known_words(sentence: str, language: str, sources: Sequence[Source]) -> bool:
    linking = _linking_words(language)
    found = (word for word in content_words(sentence, language) if not _HAN_RUN.match(word))
    return all(word in linking or any(word in source.content_words for source in sources) for word in found)


def _known_han(runs: Sequence[str], language: str, sources: Sequence[Source]) -> bool:
    """Chinese has no spaces: what linking and stop words leave of a run must stand in a source."""
    rest = [part for run in runs for part in _linking_han(language).split(run) if part]
    return all(any(part in source.folded for source in sources) for part in rest)


@cache
def _linking_words(language: str) -> frozenset[str]:
    data = load(language)
    entries = (*expand(data.linking.words), *data.words.stop)
    return frozenset(word for entry in entries for word in _WORD.findall(fold(entry).text))


@cache
def _linking_han(language: str) -> re.Pattern[str]:
    data = load(language)
    entries = (*expand(data.linking.words), *data.words.stop)
    words = {run for entry in entries for run in _HAN_RUN.findall(fold(entry).text)}
    return re.compile(one_of(words))
