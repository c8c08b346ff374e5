"""What the pages of evaluation cost with 1,000 runs of 600 cases: made up in a database of their own, asked for as the
owner's browser does, each page whole. The admin's own index stands beside them.

All runs are in view on the board: three languages, eleven suites, some thirty runs of each. One case in twenty fails,
and two in a hundred now and then; what a case gave is as large as that of an answerable question.
"""

import random
import time
from collections.abc import Iterator
from dataclasses import asdict

from django.contrib.auth.models import User
from django.db import connection  # noqa: TID251  # makes and drops the database that is measured
from django.db.models import Count
from django.test import Client
from django.urls import reverse

from bench import database
from evals.metrics import share
from evals.models import CaseResult, Run
from evals.suites import SUITES

RUNS, CASES = 1_000, 600
LANGUAGES = ("en", "fa", "pt")
TIMES = 7  # each page is asked for, after once unmeasured


def measure() -> None:
    """Prints every figure as it is known; needs a database server, whose test database it makes and drops."""
    with database.made_for_it():
        database.print_rows(_rows())


def _rows() -> Iterator[tuple[str, str]]:
    started = time.perf_counter()
    _fill()
    cases = CaseResult.objects.aggregate(count=Count("pk"))["count"]
    yield f"board: {RUNS:,} runs, {cases:,} results", f"made in {time.perf_counter() - started:.0f} s"
    client = Client(headers={"host": "localhost"})
    client.force_login(User.objects.create_superuser("owner"))
    newest = Run.objects.first()
    assert newest is not None  # noqa: S101  # they were just made
    case = newest.cases.order_by("case").values_list("case", flat=True)[0]
    pages = {
        "the admin's index, beside them": reverse("admin:index"),
        "the board": reverse("admin:evals_run_changelist"),
        "the board of one suite": reverse("admin:evals_run_changelist") + f"?suite={newest.suite}",
        "a run beside the one before": reverse("admin:evals_run_change", args=[newest.pk]),
        "a case in all its runs": reverse("admin:evals_run_case", args=[case]),
        "a suite and language as CSV": reverse("admin:evals_run_export")
        + f"?suite={newest.suite}&language={newest.language}",
    }
    for label, address in pages.items():
        yield f"  {label}", _asked(client, address)


def _asked(client: Client, address: str) -> str:
    times, size = [], 0
    for _ in range(TIMES + 1):
        started = time.perf_counter()
        response = client.get(address)
        size = len(b"".join(response))
        times.append(time.perf_counter() - started)
        if response.status_code != 200:
            raise RuntimeError(f"{address} answered {response.status_code}")
    ranked = sorted(times[1:])
    return f"{ranked[TIMES // 2] * 1e3:5.0f} ms, slowest {ranked[-1] * 1e3:5.0f} ms, {size / 1024:,.0f} kB"


def _fill() -> None:
    chance = random.Random(7)  # noqa: S311  # made-up results, no secret
    lines = [(suite, language) for suite in SUITES for language in LANGUAGES]
    for number in range(RUNS):
        suite, language = lines[number % len(lines)]
        outcomes = [(f"{language}-{suite}-{case:03}", _passes(case, chance)) for case in range(CASES)]
        figures = dict.fromkeys(SUITES[suite].compared or ["right"], share(outcomes))
        run = Run.objects.create(
            suite=suite,
            language=language,
            code_version=f"{number // len(lines):040}",
            golden_hash="g" * 64,
            corpus="c" * 64,
            figures={name: asdict(figure) for name, figure in figures.items()},
            passed=number % 3 > 0,
        )
        CaseResult.objects.bulk_create(
            CaseResult(run=run, case=case, passed=passed, detail=_detail(chance)) for case, passed in outcomes
        )
    connection.cursor().execute("ANALYZE")


def _passes(case: int, chance: random.Random) -> bool:
    return chance.random() > 0.5 if case % 50 == 0 else case % 20 != 1


def _detail(chance: random.Random) -> dict[str, object]:
    """What an answerable case gives; its similarities are other ones in every run, as on a corpus that changes."""
    measures = {"dense": chance.random(), "words": chance.random()}
    return {"refused": False, "why": "search", "rank": 1, "known": True, "cites": True, **measures}
