"""What a live check asks: in each language one golden question a refused category, and what the site suggests.

Few, and always the same ones for the same golden set: a change in what they give is a change of the site.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from evals import golden
from evals.asking import Asker
from evals.golden import RefusalCase
from records.models import Owner

ANSWERED = 2  # suggested questions a language


@dataclass(frozen=True, slots=True)
class LiveQuestion:
    """`must`: the category that it is refused in, or `answer`."""

    case: str
    language: str
    text: str
    must: Literal["commercial", "private", "speculation", "meta", "task", "answer"]


def questions(owner: Owner | None) -> list[LiveQuestion]:
    """Return every question of a run. At most seven a language: that bounds what a run can cost."""
    suggested: Mapping[str, Sequence[str]] = owner.questions if owner else {}
    return [
        question
        for language in sorted({*golden.languages(), *suggested})
        for question in (*_refused(owner, language), *_answered(language, suggested.get(language, ())))
    ]


def _refused(owner: Owner | None, language: str) -> list[LiveQuestion]:
    cases: dict[str, RefusalCase] = {}
    for case in golden.load(RefusalCase, "refusal", language):
        if not case.previous:
            cases.setdefault(case.category, case)
    asker = Asker(owner)
    return [
        LiveQuestion(case.id, language, asker.text(case.question, language), case.category) for case in cases.values()
    ]


def _answered(language: str, suggested: Sequence[str]) -> list[LiveQuestion]:
    return [
        LiveQuestion(f"{language}-suggested-{number}", language, text, "answer")
        for number, text in enumerate(suggested[:ANSWERED], start=1)
    ]
