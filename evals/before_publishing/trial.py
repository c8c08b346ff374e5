"""Asking cases before and after a publication that does not take place.

Before: as the site is. After: within transactions that publish first and are always rolled back, on a connection of
their own, so that nobody else sees anything of it and nothing is announced. Each takes a few cases and lasts about a
second: meanwhile nobody waits but another publication. The same turn answers both times, and calls no
model. Questions are embedded before, never in those transactions.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from assistant.database import in_database, own_thread
from evals import own_cases
from evals.asking import Asker, Own
from evals.before_publishing import suggested
from evals.golden import Case
from evals.report import Outcome
from evals.suites import SUITES
from metering.embedders import Vector
from records.embedding import knowing_questions
from records.models import Owner

CHUNK = 8  # cases in one transaction
_SUITES = {**SUITES, suggested.NAME: suggested.SUITE}

Key = tuple[str, str, str]  # suite, language, case
Tell = Callable[[int], None]  # how many cases are asked
_TOLD = ("why", "refusal", "rank", "known", "route", "taken_for", "leaks", "records")  # details that hold no text


@dataclass(frozen=True, slots=True)
class Compared:
    """One case before and after. `was` and `now` say what it gave, in the details of its suite."""

    suite: str
    language: str
    case: str
    passed_before: bool
    passed_after: bool
    was: dict[str, Any]
    now: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Site:
    """In whose name is asked: the owner, whether questions are embedded, and the owner's cases with the suggestions."""

    owner: Owner | None
    embeds: bool
    own: Own

    @classmethod
    def now(cls, *, embeds: bool) -> "Site":
        """Read it from the database."""
        owner = Owner.objects.first()
        return cls(owner, embeds, {**own_cases.load(), **suggested.cases(owner)})

    def asker(self, only: Collection[str] | None = None) -> Asker:
        """Return one, for a few cases: what it remembers must not outlive the transaction that it asks in."""
        return Asker(self.owner, embeds=self.embeds, own=self.own, only=only)


def compare(
    cases: Sequence[tuple[str, Case]], site: Site, perform: Callable[[], None], before: Tell, after: Tell
) -> list[Compared]:
    """Ask all cases before and after `perform`, which is rolled back each time. Blocks; raises TurnFailed."""
    return asyncio.run(_compare(cases, site, perform, before, after))


async def _compare(
    cases: Sequence[tuple[str, Case]], site: Site, perform: Callable[[], None], before: Tell, after: Tell
) -> list[Compared]:
    chunks, embedded = list(_chunks(cases)), dict[str, Vector]()
    was: dict[Key, Outcome] = {}
    now: dict[Key, Outcome] = {}
    with knowing_questions(embedded):
        async with own_thread():
            for chunk in chunks:
                was |= await _ask(chunk, site)
                await in_database(before, len(was))
            for chunk in chunks:
                async with rolled_back():
                    await in_database(perform)
                    now |= await _ask(chunk, site)
                await in_database(after, len(now))
    return [Compared(*key, was[key].passed, now[key].passed, _told(was[key]), _told(now[key])) for key in sorted(was)]


async def _ask(chunk: Sequence[tuple[str, Case]], site: Site) -> dict[Key, Outcome]:
    asker = site.asker({case.id for _suite, case in chunk})
    found: dict[Key, Outcome] = {}
    for suite, language in sorted({(suite, case.language) for suite, case in chunk}):
        report = await _SUITES[suite].run(asker, language)
        found |= {(suite, language, outcome.case): outcome for outcome in report.outcomes}
    return found


@asynccontextmanager
async def rolled_back() -> AsyncGenerator[None, None]:
    """Hold one transaction on this task's own thread; whatever was written in it never was."""
    held = transaction.atomic()
    await in_database(held.__enter__)
    try:
        yield
    finally:
        await in_database(_roll_back, held)


def _roll_back(held: transaction.Atomic) -> None:
    transaction.set_rollback(True)
    held.__exit__(None, None, None)


def _chunks(cases: Iterable[tuple[str, Case]]) -> Iterator[list[tuple[str, Case]]]:
    """A few cases each, those of a language and suite together."""
    by_place: Mapping[tuple[str, str], list[tuple[str, Case]]] = defaultdict(list)
    for suite, case in cases:
        by_place[case.language, suite].append((suite, case))
    ordered = [each for place in sorted(by_place) for each in by_place[place]]
    for begin in range(0, len(ordered), CHUNK):
        yield ordered[begin : begin + CHUNK]


def _told(outcome: Outcome) -> dict[str, Any]:
    return {name: outcome.detail[name] for name in _TOLD if name in outcome.detail}
