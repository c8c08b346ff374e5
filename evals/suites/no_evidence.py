"""What nothing published answers gets nothing, end to end: by the floor or by the provider's token.

Nor is such a question taken for one about the owner, or about the work as a whole: an overview would follow.
"""

from django.utils.translation import gettext_lazy as _

from evals.asking import Asker
from evals.golden import NoEvidenceCase
from evals.metrics import share
from evals.report import Gate, Outcome, Report, Suite
from guardrails import routing


async def run(asker: Asker, language: str) -> Report:
    """Ask each question; `by_floor` is the share that did not even reach the provider."""

    async def judge(case: NoEvidenceCase) -> Outcome:
        answer = await asker.answer(case)
        history = asker.history(case)
        before = history[-1].question if history else None
        kind = routing.route(asker.text(case.question, language), before, asker.named()).kind
        refused = answer.refusal in {"no_evidence", "not_covered"} and not answer.sentences
        return Outcome(
            case.id,
            passed=refused and kind == "search",
            detail={
                "refusal": answer.refusal,
                "taken_for": kind,
                "released": [sentence.text for sentence in answer.sentences],
                "dense": answer.done.best.dense,
                "words": answer.done.best.words,
            },
        )

    outcomes = await asker.each(asker.cases(NoEvidenceCase, "no_evidence", language), judge)
    return Report(
        tuple(outcomes),
        {
            "nothing_released": share((outcome.case, outcome.passed) for outcome in outcomes),
            "by_floor": share((outcome.case, outcome.detail["refusal"] == "no_evidence") for outcome in outcomes),
        },
    )


SUITE = Suite(
    "no_evidence",
    Gate.PERFECT,
    "nothing_released",
    _("Does a question that nothing published answers get nothing?"),
    run,
)
