"""Charts as geometry: where a template draws lines and marks. Pure; colours and words are the template's.

Every value is 0 to 1. A chart says nothing that the table beside it does not say.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from metering.bars import EDGE, HEIGHT, WIDTH

BINS = 20  # of a histogram, between 0 and 1


@dataclass(frozen=True, slots=True)
class Mark:
    """One point of a line. `is_bad` is drawn as another shape, not only in another colour."""

    x: float
    y: float
    is_bad: bool


@dataclass(frozen=True, slots=True)
class Line:
    """`paths`: the corners of its pieces ("x,y x,y"); it is broken where there is no value."""

    paths: tuple[str, ...]
    marks: tuple[Mark, ...]


def line(values: Sequence[float | None], bad: Sequence[bool]) -> Line:
    """Draw values from left to right at equal distances."""
    places = [(_x(at / max(len(values) - 1, 1)), value) for at, value in enumerate(values)]
    pieces: list[list[str]] = [[]]
    for x, value in places:
        if value is None:
            pieces.append([])
        else:
            pieces[-1].append(f"{x:.1f},{_y(value):.1f}")
    return Line(
        tuple(" ".join(piece) for piece in pieces if len(piece) > 1),
        tuple(
            Mark(round(x, 1), round(_y(value), 1), is_bad)
            for (x, value), is_bad in zip(places, bad, strict=True)
            if value is not None
        ),
    )


def path(points: Sequence[tuple[float, float]]) -> str:
    """Draw a curve of (across, up) pairs."""
    return " ".join(f"{_x(across):.1f},{_y(up):.1f}" for across, up in points)


def across(value: float) -> float:
    """Where a value stands on the horizontal axis."""
    return round(_x(value), 1)


def zoomed(values: Sequence[float], low: float, high: float) -> list[float]:
    """Where values between `low` and `high` stand on an axis that shows no more than that."""
    return [round(_x((value - low) / (high - low) if high > low else 0.5), 1) for value in values]


def histogram(values: Sequence[float]) -> list[int]:
    """Count values between 0 and 1 in BINS equal bins; 1 belongs to the last."""
    counts = [0] * BINS
    for value in values:
        counts[min(int(value * BINS), BINS - 1)] += 1
    return counts


def _scaled(low: float, high: float) -> Callable[[float], float]:
    return lambda value: low + (high - low) * min(1.0, max(0.0, value))


_x = _scaled(EDGE, WIDTH - EDGE)
_y = _scaled(HEIGHT - EDGE, EDGE)
