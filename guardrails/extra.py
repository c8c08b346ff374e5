"""Phrases that the owner adds to a category: plain words, matched whole and folded, wherever they stand."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from guardrails.readings import Reading, read

Category = Literal["commercial", "private", "speculation", "meta", "task"]


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
            words = tuple(read(phrase.text).words)
            if words:
                self._by_first.setdefault(words[0], []).append((words, phrase))

    def find(self, reading: Reading) -> tuple[ExtraPhrase, int, int] | None:
        """The first phrase that stands in the reading, and where in the original."""
        for index, word in enumerate(reading.words):
            for words, phrase in self._by_first.get(word, ()):
                last = index + len(words) - 1
                if tuple(reading.words[index : last + 1]) == words:
                    return phrase, *reading.original(reading.firsts[index], reading.lasts[last])
        return None
