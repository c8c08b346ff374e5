"""The floor below which nothing is answered: two bounded similarities, each with a floor of its own.

It decides on the best passage's figures; finding and calibrating them is for the caller.
"""

import math
from dataclasses import dataclass
from typing import Literal

# How far over a floor evidence is strong, so that a model that declines is asked again: with the demo's floors the
# better half of the answerable questions (docs/measured.md). A wrong guess costs one call and releases nothing.
STRONG_DENSE, STRONG_WORDS = 0.10, 0.25


@dataclass(frozen=True, slots=True)
class Floors:
    """The least cosine and the least keyword coverage that count, each 0 to 1."""

    dense: float
    words: float

    def __post_init__(self) -> None:
        if not (0 <= self.dense <= 1 and 0 <= self.words <= 1):
            raise ValueError("a floor lies between 0 and 1")


@dataclass(frozen=True, slots=True)
class FloorDecision:
    """Whether evidence suffices, by which similarity, and both as they are shown: clipped to 0 … 1."""

    passed: bool
    by: Literal["dense", "words"] | None
    dense: float | None
    words: float


def decide(best_dense: float | None, best_words: float, floors: Floors) -> FloorDecision:
    """Passes when either floor is reached; `best_dense` is None while the embedder is out.

    Nothing at all is never evidence: a similarity of 0 passes no floor, not even one of 0.
    """
    dense = None if best_dense is None else _clipped(best_dense)
    words = _clipped(best_words)
    if dense and dense >= floors.dense:
        return FloorDecision(passed=True, by="dense", dense=dense, words=words)
    if words and words >= floors.words:
        return FloorDecision(passed=True, by="words", dense=dense, words=words)
    return FloorDecision(passed=False, by=None, dense=dense, words=words)


def is_strong(best_dense: float | None, best_words: float, floors: Floors) -> bool:
    """Whether evidence is clearly over a floor, and not just not below it."""
    higher = Floors(min(1.0, floors.dense + STRONG_DENSE), min(1.0, floors.words + STRONG_WORDS))
    return decide(best_dense, best_words, higher).passed


def _clipped(similarity: float) -> float:
    return 0.0 if math.isnan(similarity) else min(1.0, max(0.0, similarity))
