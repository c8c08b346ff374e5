"""The committed figures that may not get worse. They hold for one embedding space, corpus and golden set alone.

On another site's records they say nothing, and nothing is compared: `why_not_compared` tells so. A language with cases
of the owner's own is asked more than what was committed to: it is left out, and `other_sets` names it.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evals import golden
from evals.ground import Ground
from evals.metrics import Figure
from evals.runs import SuiteRun

FILE = Path(__file__).with_name("baseline.json")
ROUNDING = 1e-9

Baseline = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Regression:
    """A figure that got worse, and the cases that made it so."""

    language: str
    suite: str
    figure: str
    was: float | None
    now: float | None
    cases: tuple[str, ...]


def read(path: Path = FILE) -> Baseline:
    """Return the committed baseline."""
    baseline: Baseline = json.loads(path.read_text(encoding="utf-8"))
    return baseline


def write(ground: Ground, runs: Iterable[SuiteRun], path: Path = FILE) -> None:
    """Commit to what these runs gave; figures of suites and languages that did not run are dropped."""
    figures: dict[str, dict[str, Any]] = {}
    for run in runs:
        compared = {name: asdict(run.report.figures[name]) for name in run.suite.compared}
        if compared:
            figures.setdefault(run.language, {})[run.suite.name] = compared
    content = {**_ground(ground), "golden": {code: golden.fingerprint(code) for code in figures}, "figures": figures}
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def why_not_compared(baseline: Baseline, ground: Ground) -> str | None:
    """Return why today's figures can't be held against the baseline; None: they can."""
    for name, value in _ground(ground).items():
        if baseline[name] != value:
            return f"the baseline belongs to another {name} ({baseline[name][:60]}), not to {value[:60]}"
    return None


def other_sets(baseline: Baseline, runs: Iterable[SuiteRun]) -> list[str]:
    """Return the languages that were asked another golden set than the committed one."""
    return sorted({run.language for run in runs if not _is_same_set(baseline, run)})


def regressions(baseline: Baseline, runs: Iterable[SuiteRun]) -> list[Regression]:
    """Return every compared figure that is worse than the baseline's, in the languages with the same golden set."""
    return [
        Regression(run.language, run.suite.name, name, was.value, now.value, _new(was, now))
        for run in runs
        if _is_same_set(baseline, run)
        for name, better in run.suite.compared.items()
        if (was := _figure(baseline, run, name))
        and is_worse(was.value, (now := run.report.figures[name]).value, better)
    ]


def is_worse(was: float | None, now: float | None, better: str) -> bool:
    """Whether a figure got worse, or is there no more."""
    if was is None or now is None:
        return was is not None
    gained = now - was if better == "higher" else was - now
    return gained < -ROUNDING


def _ground(ground: Ground) -> dict[str, str]:
    return {"embedder": ground.embedder, "space": ground.space, "corpus": ground.corpus}


def _is_same_set(baseline: Baseline, run: SuiteRun) -> bool:
    return bool(baseline["golden"].get(run.language) == run.cases)


def _figure(baseline: Baseline, run: SuiteRun, name: str) -> Figure | None:
    stored = baseline["figures"].get(run.language, {}).get(run.suite.name, {}).get(name)
    return Figure(stored["value"], stored["n"], tuple(stored["against"])) if stored else None


def _new(was: Figure, now: Figure) -> tuple[str, ...]:
    """Return the cases that are new against the figure, else (a lower rank, say) all that are against it."""
    known = set(was.against)
    return tuple(case for case in now.against if case not in known) or now.against
