"""What the public may not read never reaches the public: not in what is found, not in what is said.

`staff_finds` shows that the suite has teeth: the same question, asked by staff, does find the phrase.
"""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from assistant.database import in_database
from assistant.events import Done
from evals import expected
from evals.asking import Answer, Asker
from evals.golden import AccessCase, Expected
from evals.metrics import share
from evals.report import Gate, Outcome, Report, Suite
from records.access import Viewer
from records.models import Passage

STAFF = Viewer(staff=True)


async def run(asker: Asker, language: str) -> Report:
    """Ask each question as the public, and search for it as the public and as staff."""

    async def judge(case: AccessCase) -> Outcome:
        answer = await asker.answer(case)
        done = await asker.search(case)
        leaks = [
            *_in_hits(done, case),
            *_in_sentences(answer, case),
            *await in_database(_in_passages, done, case),
        ]
        holding = Expected(record=case.record, contains=case.contains, lang=case.lang)
        wanted = await in_database(expected.passages, [holding], language)
        found = [passage.passage for passage in (await asker.search(case, viewer=STAFF)).top]
        return Outcome(
            case.id,
            passed=not leaks and bool(wanted),
            detail={"leaks": leaks, "known": bool(wanted), "staff_rank": expected.rank(found, wanted)},
        )

    outcomes = await asker.each(asker.cases(AccessCase, "access", language), judge)
    return Report(
        tuple(outcomes),
        {
            "kept": share((outcome.case, outcome.passed) for outcome in outcomes),
            "staff_finds": share((outcome.case, outcome.detail["staff_rank"] is not None) for outcome in outcomes),
        },
    )


def _in_hits(done: Done, case: AccessCase) -> list[str]:
    return ["found" for passage in done.top if passage.record == case.record][:1]


def _in_passages(done: Done, case: AccessCase) -> list[str]:
    texts = Passage.objects.filter(pk__in=[passage.passage for passage in done.top]).values_list("text", flat=True)
    return ["read" for text in texts if _says([text], case)][:1]


def _in_sentences(answer: Answer, case: AccessCase) -> list[str]:
    cited = any(source.record == case.record for sentence in answer.sentences for source in sentence.sources)
    said = _says([sentence.text for sentence in answer.sentences], case)
    return ["cited"] * cited + ["said"] * said


def _says(texts: Sequence[str], case: AccessCase) -> bool:
    return _spaced(case.contains) in _spaced(" ".join(texts))


def _spaced(text: str) -> str:
    return " ".join(text.split())


SUITE = Suite(
    "access", Gate.PERFECT, "kept", _("Does what the public may not read stay out of what it finds and is told?"), run
)
