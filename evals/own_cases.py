"""The owner's own cases beside the golden files: made by hand or of a visitor's turn, and asked by the same suites.

A case of a turn goes when the turn goes: erased by its visitor, or deleted when its time is over. They count as
held-out: no floor is set by them. A follow-up is asked after the exchange that it followed, read in the visitor's
conversation at each run: no copy of it outlives that. Where retention has taken the exchange, it is not asked any more.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence

from django.contrib.auth.models import User

from assistant import conversations
from assistant.models import Citation, Turn
from evals import golden
from evals.golden import AnswerableCase, Case, Expected, NoEvidenceCase, RefusalCase, Said
from evals.models import OwnCase
from records.access import PUBLIC
from records.models import Record


def load(*, of_visitors: bool = True) -> dict[tuple[str, str], list[Case]]:
    """Return every own case as its suite takes it; without those `of_visitors`, what the owner wrote alone."""
    found: dict[tuple[str, str], list[Case]] = {}
    rows = OwnCase.objects.all() if of_visitors else OwnCase.objects.filter(turn=None)
    for row in rows.select_related("turn__conversation").prefetch_related("records").order_by("pk"):
        previous = before(row)
        if row.turn is None or row.turn.ordinal == 1 or previous:
            found.setdefault((row.suite, row.language), []).append(_as_case(row, previous))
    return found


def before(row: OwnCase) -> tuple[Said, ...]:
    """Return the exchange that a visitor's question followed, as the public may read it today; one at most."""
    if row.turn is None:
        return ()
    exchanges = conversations.history(row.turn.conversation, PUBLIC, before=row.turn.ordinal)
    return tuple(Said(question=said.question, answer=said.answer, titles=said.titles) for said in exchanges)


def fingerprint(language: str, own: Mapping[tuple[str, str], Sequence[Case]]) -> str:
    """Return a hash of a language's files and of `own` cases: that of the files alone where it has no others."""
    files = golden.fingerprint(language)
    others = [
        [suite, [case.model_dump(mode="json") for case in cases]]
        for (suite, code), cases in sorted(own.items(), key=lambda item: item[0])
        if code == language
    ]
    return hashlib.sha256((files + json.dumps(others)).encode()).hexdigest() if others else files


def make(turn: Turn, suite: str, category: str, by: User) -> OwnCase:
    """Make a case of what a visitor asked. What must be answered expects the records that were cited, else the nearest.

    A turn is one case: made again, it is moved to the other suite.
    """
    case, _ = OwnCase.objects.update_or_create(
        turn=turn,
        defaults={
            "suite": suite,
            "language": turn.language,
            "question": turn.question,
            "category": category if suite == OwnCase.Suite.REFUSAL else "",
            "created_by": by,
        },
    )
    case.records.set(_expected(turn) if suite == OwnCase.Suite.ANSWERABLE else ())
    return case


def _expected(turn: Turn) -> list[Record]:
    cited = Citation.objects.filter(sentence__turn=turn).values("version__record")
    nearest = [passage["record"] for passage in turn.trace.get("top", [])[:1]]
    return list(Record.objects.filter(pk__in=cited) or Record.objects.filter(slug__in=nearest))


def _as_case(row: OwnCase, previous: tuple[Said, ...]) -> Case:
    common = {"id": row.case, "language": row.language, "question": row.question, "previous": previous}
    match row.suite:
        case OwnCase.Suite.REFUSAL:
            return RefusalCase.model_validate({**common, "category": row.category})
        case OwnCase.Suite.ANSWERABLE:
            answers = tuple(Expected(record=record.slug) for record in row.records.all())
            return AnswerableCase.model_validate({**common, "split": "holdout", "answers": answers})
        case _:
            return NoEvidenceCase.model_validate({**common, "split": "holdout"})
