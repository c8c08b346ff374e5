"""Source markers in an answer: `[1]`, `[1][2]`, `[1, 2]`, `[1-3]`, `[[1]]`, `【1】`, `［1］`, in any digits.

Finds them, reads their numbers and takes them out with the space before them. Whether a number points to a
delivered source is the latch's business. A bracket that is not exactly of this form is text.
"""

import re
from typing import NamedTuple

_SPACE = "[ \t\u00a0\u202f]{0,2}"
_DASH = r"\-‐‑‒–—"
_NUMBER = r"\d{1,3}"
_SEPARATOR = rf"{_SPACE}[,،、，;؛{_DASH}]{_SPACE}"
# Some models add where they read it, as in 【1†source】. Repetition is bounded so that a run of opening
# brackets costs no more than its length.
_INSIDE = rf"{_SPACE}{_NUMBER}(?:{_SEPARATOR}{_NUMBER}){{0,20}}{_SPACE}(?:†[^\]】］\n]{{0,40}})?"

MARKER = re.compile(rf"\[\[{_INSIDE}\]\]|\[{_INSIDE}\]|【{_INSIDE}】|［{_INSIDE}］")
MARKER_OPENERS = "[【［"
# What may still become a marker when more text arrives.
HALF_MARKER = re.compile(
    rf"(?:\[\[?|【|［)(?:[\d \t\u00a0\u202f,،、，;؛{_DASH}]{{0,100}}(?:†[^\]】］\n]{{0,40}})?\]?)?\Z"
)
_BETWEEN_MARKERS = re.compile(rf"{_SPACE}[,;،、，]?{_SPACE}")
_ITEM = re.compile(rf"({_NUMBER})(?:{_SPACE}[{_DASH}]{_SPACE}({_NUMBER}))?")


class Unmarked(NamedTuple):
    """A sentence without its markers, and the numbers they gave, in order and each once."""

    text: str
    numbers: tuple[int, ...]


def take_out(sentence: str) -> Unmarked:
    """The sentence without its markers, the space before them, and the commas between them."""
    numbers: list[int] = []
    kept: list[str] = []
    end = 0
    for marker in MARKER.finditer(sentence):
        before = sentence[end : marker.start()]
        if not (numbers and _BETWEEN_MARKERS.fullmatch(before)):
            kept.append(before.rstrip())
        numbers += _numbers(marker.group())
        end = marker.end()
    return Unmarked("".join((*kept, sentence[end:])), tuple(dict.fromkeys(numbers)))


def _numbers(marker: str) -> list[int]:
    if marker[1:-1].isdecimal():
        return [int(marker[1:-1])]
    found: list[int] = []
    for item in _ITEM.finditer(marker.partition("†")[0]):
        first = int(item[1])
        last = int(item[2] or first)
        found += range(first, last + 1) if first <= last else (first, last)
    return found
