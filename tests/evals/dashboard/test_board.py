"""The board tells how every suite stands, and what had changed when it broke."""

from datetime import timedelta

import pytest
from django.utils import timezone

from evals.dashboard import board
from evals.models import Run
from evals.suites import SUITES

pytestmark = pytest.mark.django_db

NOW = timezone.now()


def run(days_ago, *, passed=True, suite="refusal", language="fa", value=1.0, **ground):
    made = Run.objects.create(
        suite=suite,
        language=language,
        golden_hash="g",
        corpus=ground.pop("corpus", "c"),
        figures={"refused": {"value": value, "n": 30, "against": []}},
        passed=passed,
        **ground,
    )
    Run.objects.filter(pk=made.pk).update(started_at=NOW - timedelta(days=days_ago))
    made.refresh_from_db()
    return made


def test_what_changed_between_the_last_run_that_held_and_the_first_that_did_not_is_named():
    run(5, code_version="aaa")
    good = run(4, code_version="bbb")
    bad = run(3, passed=False, code_version="ccc")
    run(1, passed=False, code_version="ddd", corpus="later")
    (line,) = board.lines()
    assert line.broken == (good, bad)
    assert line.blamed == [board.Change("code_version", "bbb", "ccc")]


def test_a_suite_that_holds_again_is_not_broken():
    run(3)
    run(2, passed=False)
    run(1)
    (line,) = board.lines()
    assert line.broken is None
    assert line.blamed == []


def test_a_suite_that_never_held_blames_nothing():
    run(2, passed=False)
    (line,) = board.lines()
    assert line.broken is None


@pytest.mark.parametrize("name", SUITES)
def test_the_figure_that_speaks_for_a_suite_is_the_one_that_it_names(name):
    """Figures come back from the database in an order of its own: `mrr` before `recall_at_5`."""
    suite = SUITES[name]
    figures = {each: {"value": 0.5, "n": 3} for each in ("a", suite.figure, "z_other")}
    Run.objects.create(suite=name, language="fa", golden_hash="g", corpus="c", figures=figures, passed=True)
    (line,) = board.lines()
    assert line.figure == suite.figure
    assert [value for _, value, _ in line.points] == [0.5]


def test_a_run_of_no_suite_speaks_by_its_first_figure():
    run(1, suite="live")
    (line,) = board.lines()
    assert line.figure == "refused"


def test_an_empty_set_has_no_value():
    run(1, value=None)
    (line,) = board.lines()
    assert line.values == [None]


def test_suites_and_languages_are_told_apart_and_filtered():
    run(1)
    run(1, language="en")
    run(1, suite="floor")
    assert [(line.suite, line.language) for line in board.lines()] == [
        ("refusal", "en"),
        ("refusal", "fa"),
        ("floor", "fa"),
    ]
    assert [line.suite for line in board.lines(suite="floor")] == ["floor"]
    assert [line.language for line in board.lines(language="en")] == ["en"]


def test_only_the_newest_runs_are_shown_oldest_first(django_assert_num_queries):
    for days in range(board.SHOWN + 5):
        run(days)
    with django_assert_num_queries(1):
        (line,) = board.lines()
    assert len(line.runs) == board.SHOWN
    moments = [each.started_at for each in line.runs]
    assert moments == sorted(moments)
    assert moments[-1] == NOW
