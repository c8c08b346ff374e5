"""A figure that got worse is found, with the cases that made it so; figures of another ground are not compared."""

import dataclasses

import pytest

from evals import baseline, golden
from evals.ground import Ground
from evals.metrics import Figure
from evals.report import Gate, Report, Suite
from evals.runs import SuiteRun
from guardrails.floor import Floors

pytestmark = pytest.mark.django_db

GROUND = Ground(
    embedder="an embedder", embeds=True, space="s" * 64, corpus="c" * 64, code="", provider="quoting", prompt="p",
    top_k=8, floors=Floors(0.2, 0.5), versions=3, passages=9, without_vector=0,
)  # fmt: skip


async def nothing(asker, language):
    raise AssertionError("these tests bring their own reports")


SUITE = Suite("answerable", Gate.BASELINE, "mrr", "?", nothing, compared={"wrongly_refused": "lower", "mrr": "higher"})


def found(wrongly_refused: Figure, mrr: Figure) -> SuiteRun:
    return SuiteRun(
        SUITE,
        "en",
        golden.fingerprint("en"),
        Report((), {"wrongly_refused": wrongly_refused, "mrr": mrr, "told": Figure(0.1, 4)}),
    )


WAS = found(Figure(0.25, 4, ("en-1",)), Figure(0.8, 4, ("en-2",)))


@pytest.fixture
def committed(tmp_path):
    baseline.write(GROUND, [WAS], tmp_path / "baseline.json")
    return baseline.read(tmp_path / "baseline.json")


def test_the_same_figures_are_no_regression(committed):
    assert baseline.regressions(committed, [WAS]) == []


def test_better_figures_are_no_regression(committed):
    assert baseline.regressions(committed, [found(Figure(0.0, 4), Figure(1.0, 4))]) == []


def test_a_regression_names_the_new_cases(committed):
    worse = found(Figure(0.5, 4, ("en-1", "en-3")), Figure(0.8, 4, ("en-2",)))
    (item,) = baseline.regressions(committed, [worse])
    assert (item.language, item.suite, item.figure) == ("en", "answerable", "wrongly_refused")
    assert (item.was, item.now, item.cases) == (0.25, 0.5, ("en-3",))


def test_a_regression_without_a_new_case_names_all_that_are_against_it(committed):
    worse = found(Figure(0.25, 4, ("en-1",)), Figure(0.7, 4, ("en-2",)))
    (item,) = baseline.regressions(committed, [worse])
    assert (item.figure, item.cases) == ("mrr", ("en-2",))


def test_a_figure_that_vanished_is_a_regression(committed):
    items = baseline.regressions(committed, [found(Figure(None, 0), Figure(None, 0))])
    assert [item.figure for item in items] == ["wrongly_refused", "mrr"]


def test_what_is_only_reported_is_not_compared(committed):
    assert set(committed["figures"]["en"]["answerable"]) == {"wrongly_refused", "mrr"}


def test_a_suite_that_is_new_has_nothing_to_be_compared_with(committed):
    other = dataclasses.replace(SUITE, name="followups")
    assert baseline.regressions(committed, [dataclasses.replace(WAS, suite=other)]) == []


def test_the_same_ground_is_compared(committed):
    assert baseline.why_not_compared(committed, GROUND) is None
    assert baseline.other_sets(committed, [WAS]) == []


@pytest.mark.parametrize("part", ["embedder", "space", "corpus"])
def test_another_ground_is_not_compared(committed, part):
    other = dataclasses.replace(GROUND, **{part: "another"})
    assert part in baseline.why_not_compared(committed, other)


def test_a_language_with_another_golden_set_is_left_out_and_named(committed):
    worse = found(Figure(0.5, 4, ("en-1", "own-3")), Figure(0.8, 4, ("en-2",)))
    asked_more = dataclasses.replace(worse, cases="with own cases")
    assert baseline.regressions(committed, [asked_more]) == []
    assert baseline.other_sets(committed, [asked_more]) == ["en"]
