"""What changed between two texts, word by word; Chinese by the character. Pure.

Paragraphs are paired first, so that a long text costs little and a moved word marks no other paragraph.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from typing import Literal

_HAN = "\u3400-\u4dbf\u4e00-\u9fff"
_SIGNS = r".,;:!?…)\]»”\"'،؛؟。，、；：！？）」|।"
# A sign at a word's end is a piece of its own; within one ("1,200") it belongs to the word.
_PIECES = re.compile(rf"\s+|[{_HAN}]|[{_SIGNS}]|[^\s{_HAN}{_SIGNS}]+(?:[{_SIGNS}][^\s{_HAN}{_SIGNS}]+)*")
_PARAGRAPHS = re.compile(r"(?<=\n)(?=\S)|(?<=\n\n)")

Kind = Literal["same", "added", "removed"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text and where it stands: in both texts, in the new one alone, or in the old one alone."""

    kind: Kind
    text: str


def compare(old: str, new: str) -> list[Piece]:
    """Return both texts as one: what is same or removed is the old one, what is same or added the new one."""
    return list(_joined(_paragraphs(_split(old), _split(new))))


def _split(text: str) -> list[str]:
    return [part for part in _PARAGRAPHS.split(text) if part]


def _paragraphs(old: Sequence[str], new: Sequence[str]) -> Iterator[Piece]:
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        before, after = "".join(old[i1:i2]), "".join(new[j1:j2])
        if tag == "equal":
            yield Piece("same", before)
        else:
            yield from _words(_PIECES.findall(before), _PIECES.findall(after))


def _words(old: Sequence[str], new: Sequence[str]) -> Iterator[Piece]:
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        before, after = "".join(old[i1:i2]), "".join(new[j1:j2])
        if tag == "equal":
            yield Piece("same", before)
        else:
            yield Piece("removed", before)
            yield Piece("added", after)


def _joined(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """Take neighbours of one kind together, and words that only a space keeps apart: "two old words", not three."""
    found = [piece for piece in pieces if piece.text]
    blank = [
        0 < number < len(found) - 1 and piece.kind == "same" and not piece.text.strip(" ")
        for number, piece in enumerate(found)
    ]
    spread = [
        each
        for piece, is_blank in zip(found, blank, strict=True)
        for each in ([Piece("removed", piece.text), Piece("added", piece.text)] if is_blank else [piece])
    ]
    for changed, run in groupby(spread, key=lambda piece: piece.kind != "same"):
        same = list(run)
        for kind in ("removed", "added") if changed else ("same",):
            if text := "".join(piece.text for piece in same if piece.kind == kind):
                yield Piece(kind, text)
