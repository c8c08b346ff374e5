"""Questions that come near to a refusal and are none pass layer 1. Whether they are answered is another suite's."""

from django.utils.translation import gettext_lazy as _

from evals import golden
from evals.asking import Asker
from evals.golden import NearMissCase
from evals.metrics import share
from evals.report import Gate, Outcome, Report, Suite
from guardrails import refusal


async def run(asker: Asker, language: str) -> Report:
    """Check each question against the patterns of all languages."""
    outcomes = tuple(_judge(asker, case) for case in golden.load(NearMissCase, "near_miss", language))
    return Report(outcomes, {"passed": share((outcome.case, outcome.passed) for outcome in outcomes)})


def _judge(asker: Asker, case: NearMissCase) -> Outcome:
    refused = refusal.check(asker.text(case.question, case.language), owner=asker.named())
    pattern = f"{refused.category} ({refused.language}): {refused.pattern}" if refused else None
    return Outcome(case.id, passed=refused is None, detail={"refused_by": pattern, "note": case.note})


SUITE = Suite("near_miss", Gate.PERFECT, "passed", _("Does what only looks like a refusal pass layer 1?"), run)
