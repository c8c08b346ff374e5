"""Character n-grams: trigrams inside words; Han terms are one or two characters already. They order and never decide.

A word of a rich morphology shares most of its trigrams with its other forms, which whole words miss. Each gram is a
number of 28 bits (a CRC of it: two grams of a text share one about once in half a million times), and a passage's
grams are packed with how often they occur, so that ranking reads a few kilobytes a passage and no text. Whole words
have numbers of 32 bits, to look for many of them in many passages at once; what counts is read from the words.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.uint32]
# An occurrence in the passage's own text counts twice one in its context; so many halves are kept.
OWN, CONTEXT, MOST = 2, 1, 15
_SIZE = 3
_BITS = 4


def grams(words: Iterable[str]) -> Iterator[str]:
    """The grams of folded words, in order, repeated as often as they occur."""
    for word in words:
        if len(word) <= _SIZE:
            yield word
        else:
            yield from (word[start : start + _SIZE] for start in range(len(word) - _SIZE + 1))


def numbers(words: Iterable[str]) -> Numbers:
    """The distinct grams of words as numbers, ascending."""
    return np.array(sorted({_number(gram) for gram in grams(words)}), dtype=np.uint32)


def pack(own: Iterable[str], context: Iterable[str]) -> bytes:
    """A passage's grams: 28 bits a gram, then 4 bits of how often it occurs in halves, little endian, ascending."""
    counts: Counter[int] = Counter()
    for gram in grams(own):
        counts[_number(gram)] += OWN
    for gram in grams(context):
        counts[_number(gram)] += CONTEXT
    packed = [number << _BITS | min(count, MOST) for number, count in sorted(counts.items())]
    return np.array(packed, dtype="<u4").tobytes()


def word_numbers(words: Iterable[str]) -> Numbers:
    """The distinct words as numbers of 32 bits, ascending."""
    return np.array(sorted({crc32(word.encode()) for word in words}), dtype="<u4")


def unpack(packed: bytes) -> tuple[Numbers, NDArray[np.float64]]:
    """The numbers of the grams, and how often each occurs."""
    pairs = np.frombuffer(packed, dtype="<u4")
    return (pairs >> _BITS).astype(np.uint32), (pairs & MOST) / OWN


def _number(gram: str) -> int:
    return crc32(gram.encode()) >> _BITS
