import math

import pytest

from guardrails.coverage import coverage
from guardrails.floor import Floors, decide, is_strong


def test_coverage_is_the_share_of_distinct_question_words():
    assert coverage(["ledger", "queue", "ledger", "python", "rust"], {"ledger", "queue"}) == 0.5


@pytest.mark.parametrize("question", [[], ["ledger"], ["ledger", "ledger"], ["ledger", "moon"]])
def test_below_two_distinct_hits_nothing_is_covered(question):
    assert coverage(question, {"ledger", "queue"}) == 0.0


FLOORS = Floors(dense=0.5, words=0.4)


@pytest.mark.parametrize(
    ("dense", "words", "passed", "by"),
    [
        (0.6, 0.0, True, "dense"),
        (0.5, 0.0, True, "dense"),
        (0.4, 0.4, True, "words"),
        (0.4, 0.3, False, None),
        (None, 0.9, True, "words"),
        (None, 0.0, False, None),
        (math.nan, 0.0, False, None),
    ],
)
def test_either_floor_is_enough(dense, words, passed, by):
    decision = decide(dense, words, FLOORS)
    assert (decision.passed, decision.by) == (passed, by)


def test_figures_are_clipped_as_shown():
    decision = decide(1.2, -0.1, FLOORS)
    assert (decision.dense, decision.words) == (1.0, 0.0)


def test_nothing_passes_no_floor_not_even_zero():
    assert not decide(0.0, 0.0, Floors(dense=0.0, words=0.0)).passed


@pytest.mark.parametrize(("dense", "words"), [(-0.1, 0.5), (0.5, 1.1)])
def test_a_floor_outside_the_scale_is_an_error(dense, words):
    with pytest.raises(ValueError, match="between 0 and 1"):
        Floors(dense=dense, words=words)


@pytest.mark.parametrize(
    ("dense", "words", "strong"),
    [(0.5, 0.4, False), (0.59, 0.6, False), (0.61, 0.0, True), (0.0, 0.66, True), (None, 0.66, True)],
)
def test_strong_evidence_is_clearly_over_a_floor(dense, words, strong):
    assert is_strong(dense, words, FLOORS) == strong


def test_the_highest_floor_can_still_be_passed_strongly():
    assert is_strong(1.0, 0.0, Floors(dense=1.0, words=1.0))
