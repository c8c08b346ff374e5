"""A run as text: what it was measured on, every figure with its n, the cases behind a failure, what it leaves open."""

from collections.abc import Iterable, Iterator, Sequence

from evals import own_cases
from evals.baseline import Regression
from evals.ground import Ground
from evals.runs import SuiteRun

NOT_PROVED = (
    "The questions are ours and few: with n cases one of them is 1/n of a figure.",
    "The corpus is the one named above; on other records floors and figures differ.",
    "No model was called: how a model words what it is given, or ignores its prompt, is not measured here.",
    "A right passage among those found is not yet a right answer.",
)


def ground_lines(ground: Ground, languages: Iterable[str]) -> Iterator[str]:
    """Tell what the figures belong to."""
    yield f"embedder   {ground.embedder}"
    yield f"centring   {ground.space[:16] or 'none: keywords alone'}"
    yield f"corpus     {ground.corpus[:16]}: {ground.versions} versions, {ground.passages} passages{_bare(ground)}"
    yield f"floors     dense {ground.floors.dense:.3f}, words {ground.floors.words:.2f}; top k {ground.top_k}"
    yield f"wording    {ground.provider}; code {ground.code[:12] or 'unknown'}"
    own = own_cases.load()
    for language in languages:
        yield f"golden     {language} {own_cases.fingerprint(language, own)[:16]}"


def run_lines(run: SuiteRun) -> Iterator[str]:
    """Tell a suite's figures, a line each, and its failed cases where they decide."""
    verdict = "ok" if run.held else "FAILED"
    for name, figure in run.report.figures.items():
        value = "   –  " if figure.value is None else f"{figure.value:6.3f}"
        yield f"{run.language}  {run.suite.name:14}{name:18}{value}  n={figure.n:<4}{run.suite.gate:9} {verdict}"
    if not run.held:
        yield from (f"      {outcome.case}: {dict(outcome.detail)}" for outcome in run.report.failed())


def regression_lines(regressions: Sequence[Regression]) -> Iterator[str]:
    """Tell what got worse, and which cases made it so."""
    for item in regressions:
        yield f"WORSE {item.language} {item.suite} {item.figure}: {_value(item.was)} -> {_value(item.now)}"
        yield f"      by {', '.join(item.cases) or 'no case that can be named'}"


def baseline_lines(reason: str | None, others: Sequence[str]) -> Iterator[str]:
    """Tell whether the figures were held against the committed ones; `others`: languages with another golden set."""
    yield f"Baseline: {reason or 'compared'}."
    if others and not reason:
        yield f"Not compared: {', '.join(others)}, asked another golden set (cases of your own are one)."


def closing_lines() -> Iterator[str]:
    """Tell what no figure above proves."""
    yield "What this does not prove:"
    yield from (f"- {line}" for line in NOT_PROVED)


def _bare(ground: Ground) -> str:
    return f", {ground.without_vector} of them without vector" if ground.without_vector else ""


def _value(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
