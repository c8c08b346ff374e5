"""Questions about the work as a whole go to the records, and get the right ones in the right order."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext_lazy as _

from evals.asking import Asker
from evals.golden import RoutingCase
from evals.metrics import share
from evals.report import Gate, Outcome, Report, Suite
from guardrails import routing


async def run(asker: Asker, language: str) -> Report:
    """Ask each question."""

    async def ask(case: RoutingCase) -> Outcome:
        return await judge(asker, case)

    outcomes = await asker.each(asker.cases(RoutingCase, "routing", language), ask)
    return Report(
        tuple(outcomes),
        {
            "routed": share((outcome.case, outcome.detail["route"] == "records") for outcome in outcomes),
            "right_records": share((outcome.case, outcome.passed) for outcome in outcomes),
        },
    )


async def judge(asker: Asker, case: RoutingCase) -> Outcome:
    """Ask one question; the records are those that its released sentences cite."""
    answer = await asker.answer(case)
    topic = routing.route(asker.text(case.question, case.language), owner=asker.named()).topic
    told = list(dict.fromkeys(source.record for sentence in answer.sentences for source in sentence.sources))
    right = answer.done.route == case.route and topic == case.topic and bool(told) and in_order(case.records, told)
    detail = {"route": answer.done.route, "topic": topic, "records": told, "expected": list(case.records)}
    return Outcome(case.id, passed=right, detail=detail)


def in_order(wanted: Iterable[str], told: Sequence[str]) -> bool:
    """Whether all that is wanted is told, in its order; others may stand between."""
    rest = iter(told)
    return all(record in rest for record in wanted)


SUITE = Suite(
    "routing",
    Gate.BASELINE,
    "right_records",
    _("Do questions about the work as a whole get their records, in order?"),
    run,
    compared={"routed": "higher", "right_records": "higher"},
)
