"""Whether the values of a sentence stand in its sources.

Both sides are read by the conventions of their own language (`value_reading`). List numbering, and a count of what
the sentence itself lists, are not values. It does not know which sources a sentence cites.
"""

import re
from bisect import bisect_left
from functools import cache

from guardrails.language import load
from guardrails.lazily import lazily
from guardrails.value_reading import Offers, Value, ValueReader
from guardrails.value_signs import Signs
from guardrails.verbatim import says_from

_NUMBERING = re.compile(r"[\s>#*_•·–-]*\(?(\d{1,3})(?:[.)、]|\\\.)\**(?=\s)|[\s>#*_•·–-]*(\d{1,3})、")
_INLINE_NUMBERING = re.compile(r"\((\d{1,2})\)|(?<![\w(])(\d{1,2})\)(?=\s)")

# So many places where it is written so are looked into before all of the source is read.
_LOOKED_INTO = 3


class ValueIndex:
    """The values of one source. Most are found in a sentence in which they stand, and the rest is never read."""

    def __init__(self, plain: str, language: str) -> None:
        self._plain = plain
        self._reader = _reader(language)
        self._pieces: dict[int, Offers] = {}

    def supports(self, value: Value) -> bool:
        """Whether the source holds the value; undecided readings on either side need the same characters."""
        stops, text, place = self._stops, self._plain, 0
        for _ in range(_LOOKED_INTO):
            place = text.find(value.text, place)
            if place < 0:
                break
            at = bisect_left(stops, place)
            if self._piece(at).hold(value):
                return True
            place = stops[at] + 1 if at < len(stops) else len(text)
        return self._whole.hold(value)

    def has_alike(self, start: int, end: int, sentence: str) -> bool:
        """Whether the source has what stands at a place in the same words as a plain sentence that is read by its
        conventions."""
        if self._reader.says_half(sentence):
            return False
        return says_from(self._plain, sentence, *self._reader.parting.around(start, end, sentence))

    def _piece(self, at: int) -> Offers:
        """What is offered between two stops."""
        if at not in self._pieces:
            start = self._stops[at - 1] if at else 0
            end = self._stops[at] + 1 if at < len(self._stops) else None
            self._pieces[at] = self._reader.offers(self._plain[start:end])
        return self._pieces[at]

    @lazily
    def _stops(self) -> list[int]:
        """Where the source can be parted for reading."""
        return self._reader.parting.stops(self._plain)

    @lazily
    def _whole(self) -> Offers:
        return self._reader.offers(self._plain) if self._stops else self._piece(0)


def signs(plain: str, language: str, spaced: str | None = None) -> Signs:
    """Where a plain text may have values; `spaced` is its form by `parted`, where it is known."""
    return _reader(language).signs(plain, spaced)


def read(plain: str, language: str) -> list[Value]:
    """The values of a plain text."""
    reader = _reader(language)
    return reader.read(reader.signs(plain))


def demanded(plain_sentence: str, language: str, known: Signs | None = None) -> list[Value]:
    """The values of a sentence that a source must support, list numbering left out; its signs, where they are
    known."""
    found = signs(plain_sentence, language) if known is None else known
    if not found:
        return []
    text = _without_numbering(plain_sentence, language)
    return _reader(language).read(found if text is plain_sentence else signs(text, language))


def _without_numbering(text: str, language: str) -> str:
    if ")" in text:
        marks = list(_INLINE_NUMBERING.finditer(text))
        if len(marks) > 1 and [int(mark[1] or mark[2]) for mark in marks] == list(range(1, len(marks) + 1)):
            text = _INLINE_NUMBERING.sub(lambda mark: " " * len(mark.group()), text)
    if (match := _NUMBERING.match(text)) and not _begins_date(text[match.start(1) :], language):
        text = " " * match.end() + text[match.end() :]
    return text


def _begins_date(text: str, language: str) -> bool:
    """Whether a number with a full stop is the day of a date, as in "3. Mai 2021"."""
    values = read(text[:40], language)
    return bool(values) and values[0].start == 0 and values[0].whole is None


@cache
def _reader(language: str) -> ValueReader:
    return ValueReader(load(language))
