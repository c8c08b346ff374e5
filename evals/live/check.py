"""A run of live checks: every question asked, judged by what a visitor sees, kept, and a failure told to the owner.

The owner hears of a failure once, until a run holds again, and with what changed since the last run that held.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext, gettext_noop, override

from assistant import live_mark
from assistant.models import Turn
from evals import golden
from evals.dashboard.board import GROUND, changes
from evals.ground import Ground
from evals.live.questions import LiveQuestion, questions
from evals.live.visit import NotReached, Shown, visit
from evals.metrics import share
from evals.models import CaseResult, Run
from evals.runs import keep
from records import alerts
from records.models import Owner
from records.owners_language import owners_language

SUITE = "live"
ALERT = "live-check"
NAMED = 5  # failed questions in an alert
_TRACED = ("route", "stop", "model_called", "cost_microusd", "ms", "trace")


@dataclass(frozen=True, slots=True)
class Visited:
    """One question, and what it got; `problem` where the site could not be asked."""

    question: LiveQuestion
    shown: Shown | None
    problem: str = ""

    @property
    def holds(self) -> bool:
        return self.shown is not None and self.shown.holds(self.question.must)

    @property
    def got(self) -> str:
        """What became of it, in a few words."""
        if self.shown is None:
            return self.problem
        ending = " ".join(filter(None, (self.shown.kind, self.shown.reason or self.shown.declined)))
        return f"{self.shown.sentences} sentences{', ' if ending else ''}{ending}"


def run(site: str = "") -> list[Visited]:
    """Ask everything, one question after the other, at this site or at another with the same SECRET_KEY."""
    return asyncio.run(_visit_all(site or settings.TRAVA.SITE_URL, questions(Owner.objects.first())))


def store(visited: Sequence[Visited], ground: Ground) -> list[Run]:
    """Keep a Run a language, and for each question what was seen and what the layers decided."""
    traces = _traces(visited)
    by_language: dict[str, list[Visited]] = defaultdict(list)
    for each in visited:
        by_language[each.question.language].append(each)
    return [_store(language, found, ground, traces) for language, found in sorted(by_language.items())]


def tell(runs: Iterable[Run], visited: Sequence[Visited]) -> None:
    """Alert the owner of what failed, or close the alert where everything held."""
    failed = [each for each in visited if not each.holds]
    if not failed:
        alerts.close(ALERT)
        return
    named = "; ".join(f"{each.question.language}: {each.question.text!r} → {each.got}" for each in failed[:NAMED])
    told = gettext_noop("Live check: %(failed)s of %(asked)s questions failed. %(named)s. %(since)s")
    with override(owners_language()):
        since = _since(runs)
    alerts.alert(ALERT, told, failed=len(failed), asked=len(visited), named=named, since=since)


def check(site: str = "") -> list[Visited]:
    """A whole run: ask, keep, tell."""
    visited = run(site)
    tell(store(visited, Ground.now()), visited)
    return visited


async def _visit_all(site: str, asked: Iterable[LiveQuestion]) -> list[Visited]:
    mark = live_mark.make()
    visited = []
    for question in asked:
        try:
            visited.append(Visited(question, await visit(site, question, mark)))
        except NotReached as problem:
            visited.append(Visited(question, None, str(problem)))
    return visited


def _traces(visited: Iterable[Visited]) -> dict[str, dict[str, Any]]:
    """What the layers decided, by turn, for turns that this database knows."""
    ids = [each.shown.turn for each in visited if each.shown]
    rows = Turn.objects.filter(pk__in=ids)
    return {str(row.pk): {name: getattr(row, name) for name in _TRACED} for row in rows}


@transaction.atomic
def _store(language: str, found: Sequence[Visited], ground: Ground, traces: dict[str, dict[str, Any]]) -> Run:
    refused = share((each.question.case, each.holds) for each in found if each.question.must != "answer")
    answered = share((each.question.case, each.holds) for each in found if each.question.must == "answer")
    figures = {"refused": refused, "answered": answered}
    row = keep(ground, SUITE, language, golden.fingerprint(language), figures, passed=all(each.holds for each in found))
    CaseResult.objects.bulk_create(
        CaseResult(run=row, case=each.question.case, passed=each.holds, detail=_detail(each, traces)) for each in found
    )
    return row


def _detail(each: Visited, traces: dict[str, dict[str, Any]]) -> dict[str, Any]:
    detail = {"question": each.question.text, "must": each.question.must, "got": each.got}
    return detail | (traces.get(str(each.shown.turn), {}) if each.shown else {})


def _since(runs: Iterable[Run]) -> str:
    """What changed since the last run that held, in the languages that do not."""
    found: dict[str, str] = {}
    for run_ in runs:
        earlier = Run.objects.filter(suite=SUITE, language=run_.language, passed=True, started_at__lt=run_.started_at)
        if not run_.passed and (held := earlier.first()):
            found |= {change.column: str(change.name) for change in changes(held, run_)}
    told = [found[column] for column in GROUND if column in found]
    if not told:
        return gettext("Nothing recorded changed since.")
    return gettext("Changed since it last held: %(changed)s.") % {"changed": ", ".join(told)}
