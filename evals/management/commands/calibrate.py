"""`manage.py calibrate`: measure what the floors must tell apart on this site, propose floors, put them in force."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evals import calibration
from evals.asking import TurnFailed
from evals.calibration import Refused, Result
from evals.golden import GoldenSetError
from evals.ground import Ground
from evals.table import NOT_PROVED
from guardrails.floor import Floors


class Command(BaseCommand):
    """Exit status 1 where the run does not allow its proposal, and no reason overrides that."""

    help = "Measure the golden and suggested questions, and propose the two floors. Calls no model."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--apply", action="store_true", help="put the proposal in force, where the run allows it")
        parser.add_argument("--override", metavar="REASON", default="", help="apply all the same; kept on record")
        parser.add_argument("--json", action="store_true", help="one JSON object instead of text")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            result = calibration.run(Ground.now())
        except (TurnFailed, GoldenSetError) as error:
            raise CommandError(f"stopped, and nothing is kept: {error}") from error
        stored = calibration.store(result)
        refused = ""
        applied = False
        if options["apply"] or options["override"]:
            try:
                calibration.apply(stored, reason=options["override"])
                applied = True
            except Refused as error:
                refused = str(error)
        if options["json"]:
            told = {**calibration.document(result), "applied": applied, "not_proved": NOT_PROVED}
            self.stdout.write(json.dumps(told, ensure_ascii=False))
        else:
            for line in (*_lines(result), "The proposal is in force." if applied else "Nothing was changed."):
                self.stdout.write(line)
        if refused or (stored.against and not applied):
            raise CommandError(refused or "the run does not allow its proposal")


def _lines(result: Result) -> Iterator[str]:
    yield f"embedder  {result.ground.embedder}, centring {result.ground.space[:16] or 'none'}"
    yield f"corpus    {result.ground.corpus[:16]}, {result.ground.passages} passages"
    yield from _floor_lines("in force", result, result.ground.floors)
    if result.proposed:
        yield from _floor_lines("proposed", result, result.proposed)
    else:
        yield "proposed  none: the questions of one kind are missing"
    yield from (f"AGAINST   {line}" for line in result.against())
    yield from (f"- {line}" for line in NOT_PROVED)


def _floor_lines(name: str, result: Result, floors: Floors) -> Iterator[str]:
    yield f"{name:9} dense {floors.dense:.3f}, words {floors.words:.3f}; on the held-out half:"
    for code, found in result.held_out(floors).items():
        stopped, passed = found.stopped, found.passed
        yield (
            f"  {code}  stopped {_share(stopped.value)} of {stopped.n} without evidence, "
            f"passed {_share(passed.value)} of {passed.n} answerable"
        )


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
