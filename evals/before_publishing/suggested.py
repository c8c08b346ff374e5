"""What the site itself suggests to ask, as cases of a rehearsal: whoever takes a suggestion gets an answer."""

from evals.asking import Asker
from evals.golden import Case
from evals.metrics import share
from evals.report import Gate, Outcome, Report, Suite
from records.models import Owner

NAME = "suggested"


def cases(owner: Owner | None) -> dict[tuple[str, str], list[Case]]:
    """Return the suggestions as a suite's cases, by suite and language."""
    return {
        (NAME, code): [
            Case(id=f"{NAME}-{code}-{number}", language=code, question=question)
            for number, question in enumerate(questions, start=1)
        ]
        for code, questions in (owner.questions if owner else {}).items()
    }


async def run(asker: Asker, language: str) -> Report:
    """Ask each; an overview of the records answers only what asks for one."""

    async def judge(case: Case) -> Outcome:
        answer = await asker.answer(case)
        answered = bool(answer.sentences) and answer.done.route != "panorama"
        why = answer.refusal or answer.notice or answer.done.route
        return Outcome(case.id, passed=answered, detail={"why": why})

    outcomes = await asker.each(asker.cases(Case, NAME, language), judge)
    return Report(tuple(outcomes), {"answered": share((outcome.case, outcome.passed) for outcome in outcomes)})


SUITE = Suite(NAME, Gate.REPORTED, "answered", "Is what the site suggests to ask answered?", run)
