"""The floors that measured questions speak for."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.floor_choice import PASSED, STOPPED, Point, curve, measure, propose
from guardrails.floor import Floors

UNIT = st.floats(0, 1).map(lambda value: round(value, 3))


def point(number, language, dense, words, *, should_pass):
    return Point(f"{language}-{number}", language, "?", "tuning", should_pass, dense, words)


@st.composite
def point_sets(draw):
    """Points of one to three languages, some without a vector."""
    languages = draw(st.lists(st.sampled_from(["en", "fa", "pt"]), min_size=1, max_size=3, unique=True))
    return [
        point(number, language, draw(st.none() | UNIT), draw(UNIT), should_pass=draw(st.booleans()))
        for language in languages
        for number in range(draw(st.integers(1, 12)))
    ]


def apart(language, low, high):
    """Ten questions that find nothing near, and ten that do."""
    return [point(n, language, low, 0.0, should_pass=False) for n in range(10)] + [
        point(10 + n, language, high, 0.0, should_pass=True) for n in range(10)
    ]


def test_between_two_clear_groups_the_floor_keeps_the_same_distance_from_both():
    proposed = propose(apart("en", 0.2, 0.4))
    assert proposed is not None
    assert proposed.dense == pytest.approx(0.3)


def test_one_floor_serves_all_languages():
    points = apart("en", 0.2, 0.5) + apart("fa", 0.35, 0.6)
    proposed = propose(points)
    assert proposed is not None
    assert 0.35 < proposed.dense <= 0.5
    for code in ("en", "fa"):
        found = measure([each for each in points if each.language == code], proposed)
        assert (found.stopped.value, found.passed.value) == (1, 1)


def test_words_pass_what_vectors_miss():
    points = [*apart("en", 0.2, 0.4), *(point(30 + n, "en", 0.1, 0.9, should_pass=True) for n in range(10))]
    proposed = propose(points)
    assert proposed is not None
    assert 0 < proposed.words <= 0.9
    assert measure(points, proposed).passed.value == 1


def test_questions_of_one_kind_alone_speak_for_no_floor():
    assert propose([point(1, "en", 0.4, 0.5, should_pass=True)]) is None
    assert propose([]) is None


def test_without_vectors_words_alone_decide():
    points = [point(n, "en", None, 0.1, should_pass=False) for n in range(3)]
    points += [point(3 + n, "en", None, 0.8, should_pass=True) for n in range(3)]
    proposed = propose(points)
    assert proposed is not None
    assert 0.1 < proposed.words <= 0.8


@given(point_sets())
def test_no_other_floors_of_the_points_pass_more_while_stopping_enough(points):
    proposed = propose(points)
    if proposed is None:
        return
    by_language = [[each for each in points if each.language == code] for code in ("en", "fa", "pt")]
    mixed = [own for own in by_language if len({each.should_pass for each in own}) == 2]

    def worth(floors):
        found = [measure(own, floors) for own in mixed]
        if any(each.stopped.value < STOPPED for each in found):
            return 0.0
        return 1 + sum(each.passed.value for each in found) / len(found)

    mine = worth(proposed)
    for dense in {1.0, *(each.dense for each in points if each.dense)}:
        for words in {1.0, *(each.words for each in points)}:
            # A floor at a point's own value passes that point; nothing of three digits lies between.
            assert worth(Floors(dense, words)) <= mine + 1e-9


@given(point_sets(), UNIT)
def test_the_curve_trades_what_is_stopped_for_what_passes(points, words):
    drawn = list(curve(points, words))
    assert drawn == sorted(drawn)
    for (_, stopped, passed), (_, stopped_next, passed_next) in pairwise(drawn):
        assert stopped <= stopped_next
        assert passed >= passed_next


def test_targets_are_held_a_language():
    good = measure(apart("en", 0.2, 0.4), Floors(0.3, 0.5))
    assert good.on_target
    assert not measure(apart("en", 0.4, 0.4), Floors(0.3, 0.5)).on_target
    assert 0 < PASSED < STOPPED < 1
