"""Which floors the measured questions speak for. Pure: points in, floors and figures out.

A point is one question with the best similarities that its search found, and whether it should pass. It knows neither
where the floors are kept nor what else a calibration has to hold.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evals.metrics import Figure, share
from guardrails import floor
from guardrails.floor import Floors

# The least share of questions without evidence that floors stop, and of answerable ones that they let pass.
STOPPED = 0.90
PASSED = 0.85

_DIGITS = 3  # floors are shown and kept with so many


@dataclass(frozen=True, slots=True)
class Point:
    """`dense` (None without a vector) and `words` are the best of a search, 0 to 1."""

    case: str
    language: str
    question: str
    split: Literal["tuning", "holdout"]
    should_pass: bool
    dense: float | None
    words: float

    def passes(self, floors: Floors) -> bool:
        """Whether these floors let it through."""
        return floor.decide(self.dense, self.words, floors).passed


@dataclass(frozen=True, slots=True)
class Measured:
    """What floors do to the points of one language."""

    stopped: Figure
    passed: Figure

    @property
    def on_target(self) -> bool:
        """Whether both shares are reached; a set without cases proves nothing against it."""
        return _reaches(self.stopped, STOPPED) and _reaches(self.passed, PASSED)


def measure(points: Iterable[Point], floors: Floors) -> Measured:
    """Return the share of points without evidence that is stopped, and of answerable ones that passes."""
    judged = [(point, point.passes(floors)) for point in points]
    return Measured(
        stopped=share((point.case, not passes) for point, passes in judged if not point.should_pass),
        passed=share((point.case, passes) for point, passes in judged if point.should_pass),
    )


def propose(points: Sequence[Point]) -> Floors | None:
    """Return the floors that let most answerable points pass while each language's stops reach STOPPED.

    Where no floors stop that much, those with the best sum of both shares in the worst language. Of floors that do
    equally well, the middle one: the widest margin on either side. None where one of the two kinds has no point.
    """
    languages = [
        cells
        for code in sorted({point.language for point in points})
        if (cells := _Cells.of([point for point in points if point.language == code]))
    ]
    if not languages:
        return None
    measured = [point for point in points if point.dense is not None]
    dense, words = _between(point.dense or 0.0 for point in measured), _between(point.words for point in points)
    stopped, passed = (
        np.stack(each) for each in zip(*(cells.shares(dense, words) for cells in languages), strict=True)
    )
    enough = (stopped >= STOPPED).all(axis=0)
    worth = np.where(enough, 2 + passed.mean(axis=0), 0) if enough.any() else (stopped + passed).min(axis=0)
    best = np.argwhere(worth >= worth.max() - 1e-12)
    column = _middle(sorted({int(at) for _, at in best}))
    row = _middle(sorted(int(at) for at, other in best if other == column))
    return Floors(dense=float(dense[row]), words=float(words[column]))


def curve(points: Sequence[Point], words: float) -> Iterator[tuple[float, float, float]]:
    """Yield, for every dense floor that changes anything, the shares stopped and passed beside that words floor."""
    cells = _Cells.of(points)
    if cells is None:
        return
    dense = _between(point.dense or 0.0 for point in points)
    stopped, passed = cells.shares(dense, np.array([words]))
    yield from zip(dense.tolist(), stopped[:, 0].tolist(), passed[:, 0].tolist(), strict=True)


@dataclass(frozen=True, slots=True)
class _Cells:
    """The points of one language as arrays, to try many floors at once."""

    dense: NDArray[np.float64]
    words: NDArray[np.float64]
    should_pass: NDArray[np.bool_]

    @classmethod
    def of(cls, points: Sequence[Point]) -> "_Cells | None":
        should_pass = np.array([point.should_pass for point in points], dtype=bool)
        if not should_pass.any() or should_pass.all():
            return None
        dense = np.array([-1.0 if point.dense is None else point.dense for point in points])
        return cls(dense, np.array([point.words for point in points]), should_pass)

    def shares(
        self, dense: NDArray[np.float64], words: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The shares stopped and passed, an array of dense floors by words floors each."""
        by_dense = (self.dense > 0) & (self.dense >= dense[:, None])
        by_words = (self.words > 0) & (self.words >= words[:, None])
        passes = by_dense[:, None, :] | by_words[None, :, :]
        return 1 - passes[..., ~self.should_pass].mean(axis=-1), passes[..., self.should_pass].mean(axis=-1)


def _between(values: Iterable[float]) -> NDArray[np.float64]:
    """The places that tell the values apart: between each two neighbours, and above the last."""
    known = np.unique([0.0, *values, 1.0])
    return np.unique(np.round(np.append((known[:-1] + known[1:]) / 2, 1.0), _DIGITS))


def _middle(places: Sequence[int]) -> int:
    """The middle of the longest run of neighbours."""
    runs = np.split(np.array(places), np.flatnonzero(np.diff(places) > 1) + 1)
    longest = max(runs, key=len)
    return int(longest[len(longest) // 2])


def _reaches(figure: Figure, least: float) -> bool:
    return figure.value is None or figure.value >= least
