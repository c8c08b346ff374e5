"""Running suites, and keeping what they found: one Run a suite and language, one CaseResult a case."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

from django.db import transaction

from evals import own_cases
from evals.asking import Asker
from evals.ground import Ground
from evals.metrics import Figure
from evals.models import CaseResult, Run
from evals.report import Report, Suite
from records.models import Owner


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """A suite's report in a language. `cases`: fingerprint of the golden set that was asked."""

    suite: Suite
    language: str
    cases: str
    report: Report

    @property
    def held(self) -> bool:
        """Whether the suite's own gate held; the baseline is another matter."""
        return self.suite.holds(self.report)


def run(
    ground: Ground,
    suites: Sequence[Suite],
    languages: Sequence[str],
    tell: Callable[[SuiteRun], None] = lambda _: None,
) -> list[SuiteRun]:
    """Run every suite in every language on the live corpus, one after the other; raise TurnFailed.

    Blocks; calls no model.
    """
    own = own_cases.load()
    asker = Asker(Owner.objects.first(), embeds=ground.embeds, own=own)
    asked = {language: own_cases.fingerprint(language, own) for language in languages}

    async def all_of_them() -> list[SuiteRun]:
        runs = []
        for language in languages:
            for suite in suites:
                runs.append(SuiteRun(suite, language, asked[language], await suite.run(asker, language)))
                tell(runs[-1])
        return runs

    return asyncio.run(all_of_them())


@transaction.atomic
def store(runs: Iterable[SuiteRun], ground: Ground) -> list[Run]:
    """Keep the runs with all that their figures belong to."""
    stored = []
    for done in runs:
        report = done.report
        row = keep(ground, done.suite.name, done.language, done.cases, report.figures, passed=done.held)
        CaseResult.objects.bulk_create(
            CaseResult(run=row, case=outcome.case, passed=outcome.passed, detail=dict(outcome.detail))
            for outcome in report.outcomes
        )
        stored.append(row)
    return stored


def keep(ground: Ground, suite: str, language: str, cases: str, figures: Mapping[str, Figure], *, passed: bool) -> Run:
    """Store a run without its cases, with everything that its figures belong to; `cases`: their fingerprint."""
    return Run.objects.create(
        suite=suite,
        language=language,
        code_version=ground.code,
        golden_hash=cases,
        prompt_version=ground.prompt,
        space=ground.space,
        corpus=ground.corpus,
        embedder=ground.embedder,
        provider=ground.provider,
        floors=f"{ground.floors.dense:.3f} / {ground.floors.words:.3f}",
        figures={name: asdict(figure) for name, figure in figures.items()},
        passed=passed,
    )
