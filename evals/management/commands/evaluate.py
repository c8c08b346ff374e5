"""`manage.py evaluate`: run the golden sets through the product as it is installed, and keep what they gave."""

import json
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evals import baseline, golden, own_cases, runs, table
from evals.asking import TurnFailed
from evals.baseline import Regression
from evals.golden import GoldenSetError
from evals.ground import Ground
from evals.report import Gate
from evals.runs import SuiteRun
from evals.suites import SUITES


class Command(BaseCommand):
    """Exit status 1 where what must be perfect is not, or a figure is worse than the committed baseline's."""

    help = "Run the golden sets on the real embedder and the real search. Calls no model."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--suite", choices=SUITES, help="this one alone")
        parser.add_argument("--lang", choices=golden.languages(), help="this one alone")
        parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
        parser.add_argument(
            "--write-baseline", action="store_true", help="commit to these figures (all suites and languages)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        whole = not (options["suite"] or options["lang"])
        if options["write_baseline"] and not whole:
            raise CommandError("a baseline is written from all suites and languages")
        if options["write_baseline"] and own_cases.load():
            raise CommandError("a baseline is written where there are no own cases: nobody else could reach it")
        suites = [SUITES[options["suite"]]] if options["suite"] else list(SUITES.values())
        languages = (options["lang"],) if options["lang"] else golden.languages()
        ground = Ground.now()
        if not options["json"]:
            self._say(table.ground_lines(ground, languages))
        try:
            done = runs.run(ground, suites, languages, self._tell_nothing if options["json"] else self._tell)
        except (TurnFailed, GoldenSetError) as error:
            raise CommandError(f"stopped, and nothing is kept: {error}") from error
        runs.store(done, ground)
        if options["write_baseline"]:
            baseline.write(ground, done)
        committed = baseline.read()
        reason, others = baseline.why_not_compared(committed, ground), baseline.other_sets(committed, done)
        worse = [] if reason else baseline.regressions(committed, done)
        passed = not worse and all(run.held for run in done if run.suite.gate is Gate.PERFECT)
        if options["json"]:
            self.stdout.write(json.dumps(_document(ground, done, reason, others, worse, passed), ensure_ascii=False))
        else:
            self._say(table.regression_lines(worse))
            self._say(table.baseline_lines(reason, others))
            self._say(table.closing_lines())
        if not passed:
            raise CommandError("the golden sets did not pass")

    def _tell(self, run: SuiteRun) -> None:
        self._say(table.run_lines(run))

    def _tell_nothing(self, run: SuiteRun) -> None:
        """Keep standard output for the one JSON object."""

    def _say(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.stdout.write(line)


def _document(
    ground: Ground,
    done: Sequence[SuiteRun],
    reason: str | None,
    others: Sequence[str],
    worse: Sequence[Regression],
    passed: bool,
) -> dict[str, Any]:
    return {
        "ground": asdict(ground),
        "golden": {run.language: run.cases for run in done},
        "suites": [
            {
                "suite": run.suite.name,
                "language": run.language,
                "gate": run.suite.gate,
                "held": run.held,
                "figures": {name: asdict(figure) for name, figure in run.report.figures.items()},
                "cases": [asdict(outcome) for outcome in run.report.outcomes],
            }
            for run in done
        ],
        "baseline": reason or "compared",
        "not_compared": others,
        "worse": [asdict(item) for item in worse],
        "not_proved": table.NOT_PROVED,
        "passed": passed,
    }
