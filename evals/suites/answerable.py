"""What the records answer is found among the first five passages, and is not refused. A panorama is no answer."""

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from assistant.database import in_database
from evals import expected
from evals.asking import Answer, Asker
from evals.golden import AnswerableCase
from evals.metrics import hit_rate, mean_reciprocal_rank, share, share_of_failures
from evals.report import Gate, Outcome, Report, Suite

K = 5  # below the 8 that are delivered: what is found only just is not relied on


async def run(asker: Asker, language: str) -> Report:
    """Ask each question and, where it took another route, search for it as well."""

    async def judge(case: AnswerableCase) -> Outcome:
        answer = await asker.answer(case)
        wanted = await in_database(expected.passages, case.answers, language)
        found = [passage.passage for passage in (await asker.search(case)).top]
        rank = expected.rank(found, wanted)
        refused = not answer.sentences or answer.done.route == "panorama"
        return Outcome(
            case.id,
            passed=not refused and rank is not None and rank <= K,
            detail={
                "refused": refused,
                "why": answer.refusal or answer.notice or answer.done.route,
                "rank": rank,
                "known": bool(wanted),
                "cites": _cites(answer, wanted),
                "dense": answer.done.best.dense,
                "words": answer.done.best.words,
            },
        )

    outcomes = await asker.each(asker.cases(AnswerableCase, "answerable", language), judge)
    ranks = [(outcome.case, outcome.detail["rank"]) for outcome in outcomes]
    return Report(
        tuple(outcomes),
        {
            "wrongly_refused": share_of_failures((outcome.case, outcome.detail["refused"]) for outcome in outcomes),
            f"recall_at_{K}": hit_rate(ranks, K),
            "mrr": mean_reciprocal_rank(ranks),
            "cites_the_answer": share((outcome.case, outcome.detail["cites"]) for outcome in outcomes),
        },
    )


def _cites(answer: Answer, wanted: frozenset[str]) -> bool:
    return any(source.passage in wanted for sentence in answer.sentences for source in sentence.sources)


SUITE = Suite(
    "answerable",
    Gate.BASELINE,
    f"recall_at_{K}",
    format_lazy(_("Is what the records answer found among the first {count} passages, and not refused?"), count=K),
    run,
    compared={"wrongly_refused": "lower", f"recall_at_{K}": "higher", "mrr": "higher", "cites_the_answer": "higher"},
)
