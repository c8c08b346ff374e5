"""Questions on the subject that no record answers: how many are refused. No floor can tell them from the others."""

from django.utils.translation import gettext_lazy as _

from evals.asking import Asker
from evals.golden import UnanswerableCase
from evals.metrics import share
from evals.report import Gate, Outcome, Report, Suite


async def run(asker: Asker, language: str) -> Report:
    """Ask each question; quoting what does not answer counts as an answer."""

    async def judge(case: UnanswerableCase) -> Outcome:
        answer = await asker.answer(case)
        return Outcome(
            case.id,
            passed=answer.refusal is not None and not answer.sentences,
            detail={
                "refusal": answer.refusal,
                "route": answer.done.route,
                "released": [sentence.text for sentence in answer.sentences],
            },
        )

    outcomes = await asker.each(asker.cases(UnanswerableCase, "unanswerable", language), judge)
    return Report(tuple(outcomes), {"refused": share((outcome.case, outcome.passed) for outcome in outcomes)})


SUITE = Suite(
    "unanswerable", Gate.REPORTED, "refused", _("Is a question on the subject that no record answers refused?"), run
)
