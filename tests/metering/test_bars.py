"""Bars stand side by side inside their drawing, and nothing that counts is too low to be seen."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from metering.bars import EDGE, HEIGHT, WIDTH, bars

VALUES = st.lists(st.floats(0, 1) | st.integers(0, 10**12), max_size=40)


@given(VALUES)
def test_bars_stand_side_by_side_on_the_axis(values):
    drawn = bars(values)
    assert len(drawn) == len(values)
    assert all(left.x + left.width <= right.x for left, right in pairwise(drawn))
    assert all(abs(bar.y + bar.height - (HEIGHT - EDGE)) < 0.2 for bar in drawn)
    assert all(bar.x >= EDGE and bar.x + bar.width <= WIDTH - EDGE for bar in drawn)


@given(VALUES)
def test_the_highest_fills_the_drawing_and_the_least_is_seen(values):
    heights = [bar.height for bar in bars(values)]
    assert [height > 0 for height in heights] == [value > 0 for value in values]
    if any(values):
        assert max(heights) == HEIGHT - 2 * EDGE
