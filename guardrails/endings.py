"""Verbs that speak in the first person by how they end, in languages where hardly any other word ends so.

The words that do are listed in the language file, and a name is known by its capital within a sentence. Vowel signs
count: Arabic tells "I wrote" from "she wrote" by one.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from guardrails.latch_sections import Endings
from guardrails.one_of import one_of

_LETTER = r"[\w\u0300-\u036f\u064b-\u0655\u0670\u0900-\u0963\u0971-\u097f]"


class SpokenEndings:
    """The endings of one language, with what each word must begin with."""

    def __init__(self, groups: Sequence[Endings]) -> None:
        self._sign = shared_sign(ending for group in groups for ending in group.endings)
        # The last three letters tell nearly as much as the whole, and begin at fewer places.
        self._any = re.compile(one_of(ending[-3:] for group in groups for ending in group.endings) + f"(?!{_LETTER})")
        self._words = [(re.compile(_expression(group)), group.exceptions) for group in groups]

    def may_be_in(self, sentence: str) -> bool:
        """Whether a word may be there; quick, and sure only when it says no."""
        if not self._words or self._sign not in sentence:
            return False
        text = _written(sentence).lower()
        return self._any.search(text) is not None and any(expression.search(text) for expression, _ in self._words)

    def word(self, sentence: str, exceptions: re.Pattern[str] | None) -> str | None:
        """The first word that ends so, outside the exceptions."""
        written = _written(sentence)
        text = written.lower()
        if exceptions:
            text = exceptions.sub(lambda match: " " * len(match.group()), text)
        for expression, others in self._words:
            for found in expression.finditer(text):
                if found.group() not in others and not _is_name(written, found.start()):
                    return found.group()
        return None


def _expression(group: Endings) -> str:
    beginning = one_of(group.beginnings) if group.beginnings else ""
    rest = f"{_LETTER}{{{group.least},}}?"
    return f"(?<!{_LETTER}){beginning}{rest}{one_of(group.endings)}(?!{_LETTER})"


def _written(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def shared_sign(words: Iterable[str]) -> str:
    """A vowel sign that all of the words have, and most texts have not; empty where there is none."""
    letters = list(map(set, words))
    shared = set.intersection(*letters) if letters else set()
    return next(filter(unicodedata.combining, sorted(shared)), "")


def _is_name(text: str, start: int) -> bool:
    before = text[:start].rstrip()
    return text[start].isupper() and (before[-1:].isalnum() or before.endswith(","))
