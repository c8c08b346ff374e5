"""Charts stay inside their drawing, and break where there is no value."""

from hypothesis import given
from hypothesis import strategies as st

from evals.dashboard import charts

SHARES = st.lists(st.floats(0, 1), max_size=40)


@given(st.lists(st.none() | st.floats(0, 1), max_size=40))
def test_every_value_is_a_mark_inside_the_drawing(values):
    drawn = charts.line(values, [False] * len(values))
    assert len(drawn.marks) == sum(value is not None for value in values)
    for mark in drawn.marks:
        assert 0 < mark.x < charts.WIDTH
        assert 0 < mark.y < charts.HEIGHT


def test_a_line_is_broken_where_there_is_no_value():
    assert len(charts.line([0.1, 0.2, None, 0.3, 0.4], [False] * 5).paths) == 2
    assert charts.line([None, 0.5, None], [False] * 3).paths == ()


def test_a_higher_value_stands_higher():
    low, high = charts.line([0.0, 1.0], [False, True]).marks
    assert low.y > high.y
    assert [low.is_bad, high.is_bad] == [False, True]


@given(SHARES)
def test_a_histogram_counts_every_value_once(values):
    counts = charts.histogram(values)
    assert len(counts) == charts.BINS
    assert sum(counts) == len(values)


def test_the_ends_of_the_scale_belong_to_the_outer_bins():
    counts = charts.histogram([0.0, 1.0])
    assert counts[0] == counts[-1] == 1


@given(SHARES, st.floats(0, 1), st.floats(0, 1))
def test_a_zoomed_axis_keeps_every_value_between_its_ends_inside_the_drawing(values, one, other):
    low, high = sorted((one, other))
    inside = sorted(low + (high - low) * value for value in values)
    places = charts.zoomed(inside, low, high)
    assert places == sorted(places)
    assert all(charts.EDGE <= place <= charts.WIDTH - charts.EDGE for place in places)
