"""Figures carry their n; an empty set has none; nothing is ever NaN."""

import math

from hypothesis import given
from hypothesis import strategies as st

from evals.metrics import Figure, hit_rate, mean_reciprocal_rank, share, share_of_failures

ranks = st.lists(st.tuples(st.text(max_size=3), st.none() | st.integers(1, 50)))


def test_an_empty_set_has_no_figure():
    nothing = Figure(None, 0)
    assert share([]) == share_of_failures([]) == hit_rate([], 5) == mean_reciprocal_rank([]) == nothing


def test_a_share_names_the_cases_against_it():
    assert share([("a", True), ("b", False), ("c", True), ("d", True)]) == Figure(0.75, 4, ("b",))


def test_a_share_of_failures_names_those_that_failed():
    assert share_of_failures([("a", True), ("b", False)]) == Figure(0.5, 2, ("a",))


def test_the_hit_rate_counts_the_kth_place_and_not_the_next():
    assert hit_rate([("first", 1), ("last", 5), ("late", 6), ("lost", None)], 5) == Figure(0.5, 4, ("late", "lost"))


def test_the_reciprocal_rank_of_what_is_not_found_is_nothing():
    assert mean_reciprocal_rank([("a", 1), ("b", 2), ("c", None), ("d", 4)]) == Figure(
        (1 + 0.5 + 0 + 0.25) / 4, 4, ("b", "c", "d")
    )


@given(ranks, st.integers(1, 20))
def test_figures_lie_between_nothing_and_one(found, k):
    for figure in (hit_rate(found, k), mean_reciprocal_rank(found)):
        assert figure.n == len(found)
        assert figure.value is None if not found else 0 <= figure.value <= 1
        assert figure.value is None or not math.isnan(figure.value)


@given(ranks)
def test_the_hit_rate_grows_with_k(found):
    values = [hit_rate(found, k).value or 0.0 for k in range(1, 51)]
    assert values == sorted(values)


@given(ranks)
def test_a_figure_is_perfect_where_nothing_is_against_it(found):
    for figure in (hit_rate(found, 5), mean_reciprocal_rank(found)):
        assert (figure.value in {1.0, None}) == (not figure.against)
