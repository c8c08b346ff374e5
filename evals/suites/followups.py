"""A question that needs the one before it is understood: a position finds its item, and the answer is found."""

from django.utils.translation import gettext_lazy as _

from assistant.database import in_database
from evals import expected
from evals.asking import Asker
from evals.golden import FollowUpCase
from evals.metrics import hit_rate, mean_reciprocal_rank, share
from evals.report import Gate, Outcome, Report, Suite
from guardrails.followup import follow_up

K = 5


async def run(asker: Asker, language: str) -> Report:
    """Read each question after what came before it, and search for it so."""

    async def judge(case: FollowUpCase) -> Outcome:
        last = asker.history(case)[-1]
        read = follow_up(
            asker.text(case.question, language), language, last.question, last.answer.splitlines(), last.titles
        )
        wanted = await in_database(expected.passages, case.answers, language)
        done = await asker.search(case)
        rank = expected.rank([passage.passage for passage in done.top], wanted)
        records = {passage.record for passage in done.top[:K]}
        item = read.item if read else None
        return Outcome(
            case.id,
            passed=item == case.resolves_to and rank is not None and rank <= K,
            detail={
                "kind": read.kind if read else None,
                "item": item,
                "wanted": case.resolves_to,
                "rank": rank,
                "right_record": bool(records & {answer.record for answer in case.answers}),
            },
        )

    outcomes = await asker.each(asker.cases(FollowUpCase, "followups", language), judge)
    ranks = [(outcome.case, outcome.detail["rank"]) for outcome in outcomes]
    return Report(
        tuple(outcomes),
        {
            "resolved": share(
                (outcome.case, outcome.detail["item"] == outcome.detail["wanted"]) for outcome in outcomes
            ),
            "right_record": share((outcome.case, outcome.detail["right_record"]) for outcome in outcomes),
            f"recall_at_{K}": hit_rate(ranks, K),
            "mrr": mean_reciprocal_rank(ranks),
        },
    )


SUITE = Suite(
    "followups",
    Gate.BASELINE,
    f"recall_at_{K}",
    _("Is a question that needs the one before it understood, and its answer found?"),
    run,
    compared={"resolved": "higher", "right_record": "higher", f"recall_at_{K}": "higher", "mrr": "higher"},
)
