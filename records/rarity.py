"""How rare words and grams are in the corpus, from a sample of its passages: what picks and weighs, never what decides.

Words are counted in the whole corpus, grams among the passages in one language: beside those in nine others, the
articles of a language that has few look as rare as its nouns.

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
KEPT_SECONDS = 300.0  # a large corpus' sample is good for so long after a change, unless the corpus has doubled


@dataclass(frozen=True, slots=True)
class Rarity:
    """`words` and `counts` (of `grams`, ascending) say in how many of `sampled` passages each occurs.

    `size` counts all passages: of the language, or of all.
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


ALL = ""  # in the place of a language: the corpus as a whole
_lock = threading.Lock()
_known: dict[str, Rarity] = {}  # what was read last, by language


def known(language: str = ALL) -> Rarity:
    """What was read last, perhaps of an older corpus; read now where nothing was yet."""
    with _lock:
        if language not in _known:
            _known[language] = _read(language)
        return _known[language]


def of(newest: int, language: str) -> Rarity:
    """What is known of a language in a corpus whose newest entry has that number; read now where it must be.

    What is known of the whole corpus is brought up to date with it.
    """
    is_small = _brought_up(ALL, newest, is_small=known().sampled < SAMPLE).sampled < SAMPLE
    return _brought_up(language, newest, is_small=is_small)


def _brought_up(language: str, newest: int, *, is_small: bool) -> Rarity:
    last = known(language)
    is_outgrown = is_small or newest > 2 * last.newest
    if last.newest == newest or not (is_outgrown or time.monotonic() - last.read_at > KEPT_SECONDS):
        return last
    with _lock:
        if _known[language].newest != newest:
            _known[language] = _read(language)
        return _known[language]


def _read(language: str) -> Rarity:
    newest = SearchEntry.objects.aggregate(newest=Max("pk"))["newest"] or 0
    entries = SearchEntry.objects.all() if language == ALL else SearchEntry.objects.filter(language=language)
    public = entries.filter(visible(PUBLIC)).order_by("content_hash")
    sample = list(public.values_list("words", "grams")[:SAMPLE])
    words = Counter(word for own, _ in sample for word in set(own))
    numbers, _ = unpack(b"".join(bytes(packed) for _, packed in sample))
    grams, counts = np.unique(numbers, return_counts=True)
    return Rarity(newest, entries.count(), len(sample), words, grams, counts, time.monotonic())
