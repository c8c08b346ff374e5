"""How rare words and grams are in the corpus, from a sample of its passages: what picks and weighs, never what decides.

The sample is the public passages with the lowest content hashes, which is as good as any; a corpus smaller than the
sample is its own. What only some may read is left out, or the order of what a visitor finds would tell of its words.
The sample is kept for the whole process and read anew when the corpus has changed.
"""

import threading
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from django.db.models import Max
from numpy.typing import NDArray

from records.access import PUBLIC, visible
from records.grams import Numbers, unpack
from records.models import SearchEntry

SAMPLE = 500
KEPT_SECONDS = 300.0  # a large corpus' sample is good for so long after a change


@dataclass(frozen=True, slots=True)
class Rarity:
    """`words` and `counts` (of `grams`, ascending) say in how many of `sampled` passages each occurs.

    `size` counts all passages.
    """

    newest: int
    size: int
    sampled: int
    words: Mapping[str, int]
    grams: Numbers
    counts: NDArray[np.int64]
    read_at: float

    def weights(self, grams: Numbers) -> NDArray[np.float64]:
        """The inverse document frequency of each gram, as BM25 takes it."""
        found = np.zeros(grams.size, dtype=np.int64)
        if self.grams.size:
            place = np.minimum(np.searchsorted(self.grams, grams), self.grams.size - 1)
            found = np.where(self.grams[place] == grams, self.counts[place], 0)
        weights: NDArray[np.float64] = np.log(1 + (self.sampled - found + 0.5) / (found + 0.5))
        return weights

    def passages_with(self, word: str) -> float:
        """In how many passages a word may be expected."""
        return self.words.get(word, 0) * self.size / max(self.sampled, 1)


_lock = threading.Lock()
_known: list[Rarity] = []  # the last one read, or none


def known() -> Rarity:
    """What was read last, perhaps of an older corpus; read now where nothing was yet."""
    with _lock:
        if not _known:
            _known.append(_read())
        return _known[0]


def of(newest: int) -> Rarity:
    """What is known of a corpus whose newest entry has that number; read now where it must be."""
    last = known()
    is_small = last.sampled < SAMPLE
    if last.newest == newest or not (is_small or time.monotonic() - last.read_at > KEPT_SECONDS):
        return last
    with _lock:
        if _known[0].newest != newest:
            _known[0] = _read()
        return _known[0]


def _read() -> Rarity:
    newest = SearchEntry.objects.aggregate(newest=Max("pk"))["newest"] or 0
    public = SearchEntry.objects.filter(visible(PUBLIC)).order_by("content_hash")
    sample = list(public.values_list("words", "grams")[:SAMPLE])
    size = SearchEntry.objects.count()
    words = Counter(word for own, _ in sample for word in set(own))
    numbers, _ = unpack(b"".join(bytes(packed) for _, packed in sample))
    grams, counts = np.unique(numbers, return_counts=True)
    return Rarity(newest, size, len(sample), words, grams, counts, time.monotonic())
