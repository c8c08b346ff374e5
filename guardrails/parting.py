"""What parts the values of a plain text: a stop, or a word that belongs to no value, as far as that is sure.

What stands beyond it has nothing to do with a value: it joins no date or range, and is no unit, scale or mark. So a
source can be read in pieces, and what a sentence says of a value can be looked for in it as far as the next such word
on either side. In Chinese, which has no spaces, a character parts that no word about values is written with.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from guardrails.latch_sections import Dates, expand
from guardrails.one_of import one_of
from guardrails.plain import WORD, WORD_CHARACTER, plain
from guardrails.replacing import one_character
from guardrails.value_items import ItemFinder

# Longer than what a value is joined with or its unit can be away, so that the rest can't make another of it.
MARGIN = 32
_CHINESE_STOP = re.compile("[。！？]")
_STOP = re.compile(rf"[.!?؟।۔…]\s+(?!\S*\d)({WORD_CHARACTER}+)")
_DIGIT = re.compile(r"\d")
_PUNCTUATION = '.,;:!?()"«»“”…،؛؟।۔'
_WORDS_REMEMBERED = 20_000


class Parting:
    """What parts the values of one language."""

    def __init__(self, finder: ItemFinder, dates: Dates) -> None:
        joining = list(map(plain, expand((*dates.between, *dates.range_words))))
        self._finder = finder
        self._joining = frozenset(WORD.findall(" ".join(joining)))
        self._joins = re.compile(f"(?:{one_of(joining)})+")
        used = frozenset("".join((*joining, *finder.phrases())))
        # A character of Chinese that parts.
        self._parting = one_character([code for code in range(0x3001, 0xA000) if chr(code) not in used])
        self._parts: Callable[[str], bool] = lru_cache(_WORDS_REMEMBERED)(self._is_parting)

    def stops(self, text: str) -> list[int]:
        """Where a text can be read piece by piece, each with the stops at both of its ends.

        Chinese writes no value across a stop; elsewhere a full stop may belong to a number, and a parting word must
        follow. No piece offers what the whole does not.
        """
        if self._finder.reads_numerals:
            return [stop.start() for stop in _CHINESE_STOP.finditer(text)]
        return [stop.start() for stop in _STOP.finditer(text) if self._parts(stop[1])]

    def around(self, start: int, end: int, text: str) -> tuple[int, int]:
        """How far what stands at a place of a text may have to do with it: to what parts it, at most so far."""
        first, last = max(0, start - MARGIN), min(len(text), end + MARGIN)
        if self._finder.reads_numerals:
            return self._characters_around(start, end, first, last, text)
        # Of the outermost words not all may be there; the space beyond a word shows that it is all of it.
        place, words = start, text[first:start].split(" ")
        while len(words) > 1:
            place -= len(words.pop()) + 1
            if self._parts(words[-1]) and len(words) > 1:
                first = place - len(words[-1]) - 1
                break
        place, words = end, text[end:last].split(" ")
        place += len(words[0])
        for word in words[1:-1]:
            place += len(word) + 1
            if self._parts(word):
                last = place + 1
                break
        return first, last

    def _characters_around(self, start: int, end: int, first: int, last: int, text: str) -> tuple[int, int]:
        for at in range(start - 1, first - 1, -1):
            if self._parting.match(text, at):
                first = at
                break
        parting = self._parting.search(text, end, last)
        return first, parting.end() if parting else last

    def _is_parting(self, word: str) -> bool:
        """Whether a word of letters, perhaps with punctuation, belongs to no value."""
        letters = word.strip(_PUNCTUATION)
        if not WORD.fullmatch(letters) or _DIGIT.search(letters):
            return False
        return not (letters in self._joining or self._finder.knows(letters) or self._joins.fullmatch(letters))
