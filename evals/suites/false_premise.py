"""Where a question takes for granted what a record contradicts, that passage is among those delivered.

Whether the answer then contradicts the question is for whoever words it; `quoting` can't.
"""

from django.utils.translation import gettext_lazy as _

from assistant.database import in_database
from evals import expected
from evals.asking import Asker
from evals.golden import FalsePremiseCase
from evals.metrics import hit_rate, share
from evals.report import Gate, Outcome, Report, Suite

K = 5


async def run(asker: Asker, language: str) -> Report:
    """Search for each question."""

    async def judge(case: FalsePremiseCase) -> Outcome:
        wanted = await in_database(expected.passages, case.answers, language)
        rank = expected.rank([passage.passage for passage in (await asker.search(case)).top], wanted)
        return Outcome(case.id, passed=rank is not None, detail={"premise": case.premise, "rank": rank})

    outcomes = await asker.each(asker.cases(FalsePremiseCase, "false_premise", language), judge)
    return Report(
        tuple(outcomes),
        {
            "delivered": share((outcome.case, outcome.passed) for outcome in outcomes),
            f"recall_at_{K}": hit_rate([(outcome.case, outcome.detail["rank"]) for outcome in outcomes], K),
        },
    )


SUITE = Suite(
    "false_premise", Gate.REPORTED, "delivered", _("Is the passage that contradicts the question delivered?"), run
)
