"""What the words beside a number say that it is: somebody's id, card or phone, or the number of a thing.

The words of all languages count, whatever language the text is in. The nearest word before the number decides; only
where none stands before it, one right after it may.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal

from guardrails.language import available, load
from guardrails.text import HAN, WORD, fold

Announced = Literal["ids", "cards", "phones", "other_numbers"]
Phrase = tuple[tuple[str, ...], Announced]

_KINDS: tuple[Announced, ...] = ("ids", "cards", "phones", "other_numbers")
# Some five words before, and two behind: further off stands another statement.
_BEFORE, _AFTER = 40, 16
_TOKEN = re.compile(f"[{HAN}]|{WORD}")
_ARABIC = re.compile("[\u0600-\u06ff]")
_ONTO_ARABIC = re.compile("[وفبكل]?ال|لل|[وفبكل]")
_KEY = 4


class Announcements:
    """The telling words of one text, found once."""

    def __init__(self, text: str) -> None:
        folded = fold(text)
        said = [(*folded.original(start, end), kind) for start, end, kind in _said(folded.text)]
        self._starts = [start for start, _, _ in said]
        self._ends = [end for _, end, _ in said]
        self._kinds = [kind for _, _, kind in said]

    def of(self, start: int, end: int) -> Announced | None:
        """What the number from `start` to `end` is said to be, or None where nothing is said of it."""
        before = bisect_right(self._ends, start) - 1
        if before >= 0 and start - self._ends[before] <= _BEFORE:
            return self._kinds[before]
        after = bisect_left(self._starts, end)
        if after < len(self._starts) and self._starts[after] - end <= _AFTER:
            return self._kinds[after]
        return None


def _said(text: str) -> Iterator[tuple[int, int, Announced]]:
    tokens = list(_TOKEN.finditer(text))
    words = [token.group() for token in tokens]
    at = 0
    while at < len(words):
        found = _phrase_at(words, at)
        length = len(found[0]) if found else 1
        if found:
            yield tokens[at].start(), tokens[at + length - 1].end(), found[1]
        at += length


def _phrase_at(words: Sequence[str], at: int) -> Phrase | None:
    for first in _readings(words[at]):
        for phrase in _phrases().get(first[:_KEY], ()):
            following = (first, *words[at + 1 : at + len(phrase[0])])
            if len(following) == len(phrase[0]) and all(map(_is_form, following, phrase[0])):
                return phrase
    return None


def _readings(word: str) -> Iterator[str]:
    yield word
    if written_on := _ONTO_ARABIC.match(word):
        yield word[written_on.end() :]


def _is_form(word: str, of: str) -> bool:
    """Whether it is the word, perhaps with an ending; short ones have none, for they begin many others."""
    return word == of or (word.startswith(of) and len(of) > (3 if _ARABIC.match(of) else 4))


@cache
def _phrases() -> dict[str, list[Phrase]]:
    """The phrases of all languages by how they begin, longest first."""
    phrases: dict[str, list[Phrase]] = {}
    for code in available():
        section = load(code).personal_data
        for kind in _KINDS:
            for written in getattr(section, kind):
                words = tuple(_TOKEN.findall(fold(written).text))
                phrases.setdefault(words[0][:_KEY], []).append((words, kind))
    return {key: sorted(found, key=lambda phrase: -len(phrase[0])) for key, found in phrases.items()}
