"""Phrases that the owner adds to a category: plain words, matched whole and folded, wherever they stand."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from guardrails.language import available
from guardrails.readings import Reading, read
from guardrails.text import HAN, content_words, folded_stop_words, words

Category = Literal["commercial", "private", "speculation", "meta", "task"]
Fault = Literal["no_word", "not_plain", "one_letter", "stop_words"]

_HAN_START = re.compile(f"[{HAN}]")


@dataclass(frozen=True, slots=True)
class ExtraPhrase:
    """What the owner typed, for which category, and in which language the refusal is then reported."""

    category: Category
    text: str
    language: str


class ExtraPhrases:
    """The owner's phrases, prepared once and tried on many questions."""

    def __init__(self, phrases: Iterable[ExtraPhrase]) -> None:
        self._by_first: dict[str, list[tuple[tuple[str, ...], ExtraPhrase]]] = {}
        for phrase in phrases:
            wanted = tuple(read(phrase.text).words)
            if wanted:
                self._by_first.setdefault(wanted[0], []).append((wanted, phrase))

    def __len__(self) -> int:
        return sum(map(len, self._by_first.values()))

    def find(self, reading: Reading) -> tuple[ExtraPhrase, int, int] | None:
        """The first phrase that stands in the reading, and where in the original."""
        for index, word in enumerate(reading.words):
            for wanted, phrase in self._by_first.get(word, ()):
                last = index + len(wanted) - 1
                if tuple(reading.words[index : last + 1]) == wanted:
                    return phrase, *reading.original(reading.firsts[index], reading.lasts[last])
        return None


def key(text: str) -> str:
    """What a phrase is matched by: two phrases with one key are the same phrase."""
    return " ".join(read(text).words)


def fault(text: str) -> Fault | None:
    """Why a phrase can't be one: no word in it, quotations or addresses, or so little that most questions have it."""
    if not key(text):
        return "no_word"
    if "<" in key(text):
        return "not_plain"
    if len(key(text)) < 2:
        return "one_letter"
    return "stop_words" if any(_is_of_stop_words(text, code) for code in available()) else None


def _is_of_stop_words(text: str, code: str) -> bool:
    """Whether the phrase says nothing in one language. Chinese strings its stop words together."""
    stop = folded_stop_words(code)
    return not content_words(text, code) and all(
        word.text in stop or _HAN_START.match(word.text) for word in words(text, code)
    )
