"""Calibrating the floors: ask what the golden sets and the site itself suggest, propose floors, and hold them to it.

The proposal rests on the tuning half and on the suggested questions; the verdict on the held-out half, the owner's own
cases among it, on the routes of overview questions and on every suggested question. Calls no model. `floor_choice` has
the choice itself. What a run keeps of an own case is its id: a visitor's words go when their turn goes.
"""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext, gettext_noop

from assistant.database import in_database
from assistant.models import Floor
from evals import expected, golden, own_cases
from evals.asking import Asker
from evals.floor_choice import Measured, Point, measure, propose
from evals.golden import AnswerableCase, Case, NoEvidenceCase, RoutingCase
from evals.ground import Ground
from evals.models import Calibration, OwnCase
from evals.objection import Objection
from evals.suites import routing
from guardrails.floor import Floors
from records.models import Owner, Record

FEWEST = 10  # points of either kind in the held-out half: with fewer, one question decides too much


class Refused(Exception):
    """The floors may not be set by this run; the message says why."""


@dataclass(frozen=True, slots=True)
class Suggested:
    """A suggested question: the route it takes, and the point that its search gave."""

    point: Point
    route: str

    def served(self, floors: Floors) -> bool:
        """Whether a visitor who takes the suggestion gets an answer."""
        return self.route == "records" or (self.route == "search" and self.point.passes(floors))


@dataclass(frozen=True, slots=True)
class Result:
    """A calibration run: every question with its similarities, the floors they speak for, and what stands against."""

    ground: Ground
    points: tuple[Point, ...]
    suggested: tuple[Suggested, ...]
    misrouted: tuple[str, ...]  # cases of overview questions
    proposed: Floors | None

    def held_out(self, floors: Floors) -> dict[str, Measured]:
        """What floors do to the held-out half of each language."""
        held = [point for point in self.points if point.split == "holdout"]
        codes = sorted({point.language for point in held})
        return {code: measure([point for point in held if point.language == code], floors) for code in codes}

    def against(self) -> tuple[Objection, ...]:
        """Say why the proposal may not be put in force; none: it may."""
        return tuple(self._objections())

    def _objections(self) -> Iterator[Objection]:
        if not self.ground.embeds:
            told = gettext_noop(
                "Questions are not embedded into the space that search reads: run `manage.py ingest` first."
            )
            yield Objection(told, {})
        held = [point.should_pass for point in self.points if point.split == "holdout"]
        if min(held.count(True), held.count(False)) < FEWEST:
            told = gettext_noop(
                "Too few held-out questions speak of this site: %(answered)s that it answers and %(unanswered)s that "
                "it does not, of %(fewest)s each. Add cases of your own."
            )
            counts = {"answered": held.count(True), "unanswered": held.count(False), "fewest": FEWEST}
            yield Objection(told, counts)
        if self.misrouted:
            told = gettext_noop("Overview questions that do not get their records: %(cases)s")
            yield Objection(told, {"cases": ", ".join(self.misrouted)})
        if self.proposed:
            yield from self._objections_to(self.proposed)

    def _objections_to(self, floors: Floors) -> Iterator[Objection]:
        for code, found in self.held_out(floors).items():
            if not found.on_target:
                yield _off_target(code, found)
        told = gettext_noop("%(language)s: the suggested question “%(question)s” would not be answered.")
        for each in self.suggested:
            if not each.served(floors):
                yield Objection(told, {"language": each.point.language, "question": each.point.question})


def run(ground: Ground) -> Result:
    """Put every question to the search as it is installed. Blocks; raises TurnFailed."""
    owner = Owner.objects.first()
    asker = Asker(owner, embeds=ground.embeds, own=own_cases.load())
    published = frozenset(Record.objects.filter(versions__retired_at=None).values_list("slug", flat=True))
    return asyncio.run(_run(ground, asker, owner.questions if owner else {}, published))


@transaction.atomic
def store(result: Result) -> Calibration:
    """Keep the run with all its points."""
    proposed = result.proposed
    return Calibration.objects.create(
        code_version=result.ground.code,
        embedder=result.ground.embedder,
        space=result.ground.space,
        corpus=result.ground.corpus,
        dense=proposed.dense if proposed else None,
        words=proposed.words if proposed else None,
        against=[objection.stored for objection in result.against()],
        points=_kept(result),
    )


def apply(calibration: Calibration, by: User | None = None, reason: str = "") -> Floor:
    """Put the proposal in force. Raises Refused where the run objects and no reason is given, or is out of date."""
    if calibration.dense is None or calibration.words is None:
        raise Refused(" ".join([gettext("The run proposes no floors."), *calibration.objections]))
    if not is_current(calibration):
        raise Refused(gettext("What is published or the embedder has changed since this run: calibrate again."))
    if calibration.against and not reason:
        raise Refused(" ".join(calibration.objections))
    return Floor.objects.create(
        dense=calibration.dense,
        words=calibration.words,
        space=calibration.space,
        corpus=calibration.corpus,
        reason=reason if calibration.against else "",
        set_by=by,
    )


def is_current(calibration: Calibration) -> bool:
    """Whether a run speaks of what is searched now."""
    now = Ground.now()
    return (calibration.space, calibration.corpus) == (now.space, now.corpus)


def document(result: Result) -> dict[str, Any]:
    """The run as JSON."""
    return {
        "ground": asdict(result.ground),
        "in_force": asdict(result.ground.floors),
        "proposed": asdict(result.proposed) if result.proposed else None,
        "held_out": {
            name: {code: asdict(found) for code, found in result.held_out(floors).items()}
            for name, floors in (("in_force", result.ground.floors), ("proposed", result.proposed))
            if floors
        },
        "against": [str(objection) for objection in result.against()],
        "points": _kept(result),
    }


async def _run(ground: Ground, asker: Asker, suggestions: dict[str, list[str]], published: frozenset[str]) -> Result:
    points: list[Point] = []
    misrouted: list[str] = []
    for code in sorted({*golden.languages(), *asker.own_languages()}):
        points += await _points(asker, await in_database(_answered_here, asker, code), should_pass=True)
        points += await _points(asker, asker.cases(NoEvidenceCase, "no_evidence", code), should_pass=False)
        known = [case for case in golden.load(RoutingCase, "routing", code) if published.issuperset(case.records)]
        outcomes = await asker.each(known, lambda case: routing.judge(asker, case))
        misrouted += [outcome.case for outcome in outcomes if not outcome.passed]
    suggested = await asker.each(_suggested(suggestions), lambda case: _suggestion(asker, case))
    speaking = [*points, *(each.point for each in suggested if each.route == "search")]
    proposed = propose([point for point in speaking if point.split == "tuning"])
    return Result(ground, tuple(points), tuple(suggested), tuple(misrouted), proposed)


async def _points(asker: Asker, cases: Iterable[AnswerableCase | NoEvidenceCase], *, should_pass: bool) -> list[Point]:
    async def point(case: AnswerableCase | NoEvidenceCase) -> Point:
        best = (await asker.search(case)).best
        text = asker.text(case.question, case.language)
        return Point(case.id, case.language, text, case.split, should_pass, best.dense, best.words or 0.0)

    return await asker.each(cases, point)


async def _suggestion(asker: Asker, case: Case) -> Suggested:
    done = await asker.search(case)
    return Suggested(
        Point(
            case.id,
            case.language,
            case.question,
            split="tuning",
            should_pass=True,
            dense=done.best.dense,
            words=done.best.words or 0.0,
        ),
        done.route,
    )


def _answered_here(asker: Asker, language: str) -> list[AnswerableCase]:
    """The answerable cases whose answer is published on this site."""
    cases = asker.cases(AnswerableCase, "answerable", language)
    return [case for case in cases if expected.passages(case.answers, language)]


def _suggested(suggestions: dict[str, list[str]]) -> Sequence[Case]:
    return [
        Case(id=f"suggested-{code}-{number}", language=code, question=question)
        for code, questions in sorted(suggestions.items())
        for number, question in enumerate(questions, start=1)
    ]


def _kept(result: Result) -> list[dict[str, Any]]:
    """Every point as it is stored and printed: an own case without its question."""
    points = (*result.points, *(each.point for each in result.suggested))
    return [asdict(replace(point, question="") if _is_own(point) else point) for point in points]


def _is_own(point: Point) -> bool:
    return point.case.startswith(OwnCase.PREFIX)


def _off_target(code: str, found: Measured) -> Objection:
    stopped, passed = found.stopped, found.passed
    told = gettext_noop(
        "%(language)s: of %(without)s held-out questions without evidence %(stopped)s are stopped, of %(answerable)s "
        "answerable ones %(passed)s pass."
    )
    return Objection(
        told,
        {
            "language": code,
            "without": stopped.n,
            "stopped": f"{stopped.value or 0:.0%}",
            "answerable": passed.n,
            "passed": f"{passed.value or 0:.0%}",
        },
    )
