"""Bars as geometry: where a template draws them, side by side. Pure; colours and words are the template's."""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT, EDGE = 640, 160, 12  # units of the drawing
_GAP = 2
_LEAST = 1.0  # what is more than nothing is seen


@dataclass(frozen=True, slots=True)
class Bar:
    """Where one bar begins, and its size."""

    x: float
    y: float
    width: float
    height: float


def bars(values: Sequence[float]) -> tuple[Bar, ...]:
    """Draw values from 0 up, the highest one as high as the drawing."""
    top = max(values, default=0) or 1
    step = (WIDTH - 2 * EDGE) / max(len(values), 1)
    heights = [max(_LEAST, (HEIGHT - 2 * EDGE) * value / top) if value else 0.0 for value in values]
    return tuple(
        Bar(
            round(EDGE + step * at + _GAP / 2, 1),
            round(HEIGHT - EDGE - height, 1),
            round(step - _GAP, 1),
            round(height, 1),
        )
        for at, height in enumerate(heights)
    )
