"""The floor alone, on questions that it was not set by: what it stops of what it should, and what it lets pass."""

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from assistant import floors
from assistant.database import in_database
from evals.asking import Asker
from evals.floor_choice import PASSED, STOPPED, Measured
from evals.golden import AnswerableCase, NoEvidenceCase
from evals.metrics import share
from evals.report import Gate, Outcome, Report, Suite
from guardrails import floor
from guardrails.floor import Floors


async def run(asker: Asker, language: str) -> Report:
    """Search for each held-out question, and decide by the floors in force."""
    limits = await in_database(floors.current)
    without = [case for case in asker.cases(NoEvidenceCase, "no_evidence", language) if case.split == "holdout"]
    answerable = [case for case in asker.cases(AnswerableCase, "answerable", language) if case.split == "holdout"]

    async def stops(case: NoEvidenceCase) -> Outcome:
        return await _outcome(asker, case, limits, should_pass=False)

    async def passes(case: AnswerableCase) -> Outcome:
        return await _outcome(asker, case, limits, should_pass=True)

    off_topic = await asker.each(without, stops)
    on_topic = await asker.each(answerable, passes)
    found = Measured(
        stopped=share((outcome.case, outcome.passed) for outcome in off_topic),
        passed=share((outcome.case, outcome.passed) for outcome in on_topic),
    )
    return Report(
        (*off_topic, *on_topic), {"stopped": found.stopped, "passed": found.passed}, on_target=found.on_target
    )


async def _outcome(
    asker: Asker, case: AnswerableCase | NoEvidenceCase, limits: Floors, *, should_pass: bool
) -> Outcome:
    best = (await asker.search(case)).best
    decision = floor.decide(best.dense, best.words or 0.0, limits)
    return Outcome(
        case.id,
        passed=decision.passed is should_pass,
        detail={"let_through_by": decision.by, "dense": best.dense, "words": best.words},
    )


SUITE = Suite(
    "floor",
    Gate.TARGET,
    "passed",
    format_lazy(
        _("Does the floor stop {stopped} of held-out questions without evidence where {passed} of the others pass?"),
        stopped=f"{STOPPED:.0%}",
        passed=f"{PASSED:.0%}",
    ),
    run,
    compared={"stopped": "higher", "passed": "higher"},
)
