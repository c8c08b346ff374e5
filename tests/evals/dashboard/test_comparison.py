"""Two runs side by side: what changed stands first; what chance decides is marked."""

import pytest

from evals.dashboard import comparison
from evals.dashboard.comparison import Verdict
from evals.models import CaseResult, Run

pytestmark = pytest.mark.django_db


def run(cases, **ground):
    made = Run.objects.create(
        suite="refusal", language="en", golden_hash="g", corpus="c", figures={}, passed=True, **ground
    )
    for case, (passed, detail) in cases.items():
        CaseResult.objects.create(run=made, case=case, passed=passed, detail=detail)
    return made


def test_what_broke_stands_first_and_what_stayed_last():
    earlier = run({
        "a": (True, {"rank": 1}), "b": (True, {}), "c": (False, {}), "d": (False, {}), "e": (True, {"rank": 1}),
        "f": (True, {}),
    })  # fmt: skip
    later = run({
        "a": (True, {"rank": 1}), "b": (False, {}), "c": (True, {}), "d": (False, {}), "e": (True, {"rank": 3}),
        "g": (True, {}),
    })  # fmt: skip
    found = [(pair.case, pair.verdict) for pair in comparison.compare(earlier, later, {"a": "Why?"})]
    assert found == [
        ("b", Verdict.BROKEN),
        ("c", Verdict.MENDED),
        ("g", Verdict.NEW),
        ("f", Verdict.GONE),
        ("d", Verdict.FAILING),
        ("e", Verdict.OTHERWISE),
        ("a", Verdict.SAME),
    ]


def test_details_of_both_runs_stand_side_by_side():
    earlier, later = run({"a": (True, {"rank": 1, "old": 2})}), run({"a": (False, {"rank": 9, "new": 3})})
    (pair,) = comparison.compare(earlier, later, {"a": "Why?"})
    assert sorted(pair.details) == [("new", None, 3), ("old", 2, None), ("rank", 1, 9)]


def test_a_case_is_unstable_where_nothing_but_the_verdict_changed():
    run({"shaky": (True, {}), "firm": (True, {})}, code_version="a")
    last = run({"shaky": (False, {}), "firm": (True, {})}, code_version="a")
    assert comparison.unstable_in(last) == {"shaky"}


def test_a_case_that_another_code_broke_is_not_unstable():
    run({"broken": (True, {})}, code_version="a")
    last = run({"broken": (False, {})}, code_version="b")
    assert comparison.unstable_in(last) == frozenset()


def test_a_case_has_a_history_newest_first():
    run({"a": (True, {})})
    run({"a": (False, {}), "b": (True, {})})
    assert [result.passed for result in comparison.history("a")] == [False, True]
