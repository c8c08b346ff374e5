"""200 questions at once in two processes against a cap that fits 20: `python -m tests.metering.spend_rounds 20`.

Each round counts who was let through to the model; every second one kills a process with -9 on the way. It stops with
an AssertionError where the cap was passed, where other than 20 were let through, or where something stays held.
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from queue import Queue
from threading import Thread

ASKED, FITS, PROCESSES = 200, 20, 2
ROOT = Path(__file__).parents[2]
PATIENCE = 300  # seconds


class Spender:
    """One process of readers."""

    def __init__(self, database: str, cap_micro_usd: int) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.metering.spender"],
            cwd=ROOT,
            env={
                **os.environ,
                "DATABASE_URL": database,
                "MONTHLY_CAP_USD": f"{cap_micro_usd / 1_000_000:f}",
                "TURN_DEADLINE": "600",
                "EMBEDDER": "none",
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.lines: Queue[str] = Queue()
        Thread(target=self._read, daemon=True).start()

    def tell(self, command: str) -> None:
        self.process.stdin.write(f"{command}\n")
        self.process.stdin.flush()

    def heard(self) -> str:
        return self.lines.get(timeout=PATIENCE)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.end()

    def end(self) -> None:
        self.process.stdin.close()
        self.process.wait(PATIENCE)
        self.process.stdout.close()

    def _read(self) -> None:
        for line in self.process.stdout:
            self.lines.put(line.strip())


@contextmanager
def spenders(database: str, cap_micro_usd: int) -> Iterator[list[Spender]]:
    """As many processes, each ready to ask; the list may be changed."""
    running = [Spender(database, cap_micro_usd) for _ in range(PROCESSES)]
    try:
        for spender in running:
            assert spender.heard() == "ready"
        yield running
    finally:
        for spender in running:
            spender.end()


def prepare() -> int:
    """Give the database something to tell of and a price; the cap in micro-USD that fits FITS turns."""
    from metering.models import ModelPrice
    from records.models import Owner, Record, RecordText
    from records.publishing import publish
    from tests.metering.spender import BOUND, MODEL

    Owner.objects.create(pk=1, name="Livia Aramesh", aliases=["Livia"])
    article = Record.objects.create(kind="article", slug="gauge", start=date(2022, 1, 1), start_precision="year")
    RecordText.objects.create(record=article, language="en", title="A tide gauge in winter", body="It was cold.")
    publish(article)
    ModelPrice.objects.create(
        model=MODEL, valid_from=date(2020, 1, 1), input_micro_usd_per_mtok=1_000_000, output_micro_usd_per_mtok=0
    )
    return BOUND * FITS


def undisturbed(running: list[Spender], cap: int) -> None:
    """One round in which everybody lives."""
    from metering.ledger import month_state
    from tests.metering.spender import COST

    _new_month()
    for spender in running:
        spender.tell(f"ask {ASKED // PROCESSES}")
    decisions = [spender.heard() for spender in running for _ in range(ASKED // PROCESSES)]
    assert sorted(set(decisions)) == ["budget", "called"]
    assert decisions.count("called") == FITS, decisions.count("called")
    assert (month_state().settled, month_state().reserved) == (0, cap)
    for spender in running:
        spender.tell("go")
    assert [spender.heard() for spender in running] == ["over"] * PROCESSES
    assert (month_state().settled, month_state().reserved) == (FITS * COST, 0)


def with_a_kill(running: list[Spender], cap: int, after: int, start) -> None:
    """One round in which the first process dies once the second has heard so many decisions; `start` replaces it."""
    from django.utils import timezone

    from metering.ledger import expire_overdue, month_state
    from metering.models import Reservation
    from tests.metering.spender import BOUND, COST

    def spent() -> int:
        state = month_state()
        assert state.settled + state.reserved <= cap
        return state.settled

    _new_month()
    victim, survivor = running
    for spender in running:
        spender.tell(f"ask {ASKED // PROCESSES}")
    decisions = [survivor.heard() for _ in range(after)]
    victim.kill()
    running[0] = start()
    spent()
    decisions += [survivor.heard() for _ in range(ASKED // PROCESSES - after)]
    called = decisions.count("called")
    spent()
    survivor.tell("go")
    assert survivor.heard() == "over"
    assert spent() == called * COST
    lost = Reservation.objects.filter(state="held")
    assert (month_state().reserved, called + lost.count() <= FITS) == (lost.count() * BOUND, True)
    left = lost.update(deadline=timezone.now() - timedelta(seconds=1))  # its time is over
    assert expire_overdue() == left
    assert spent() == called * COST + left * BOUND
    assert month_state().reserved == 0
    assert running[0].heard() == "ready"


def _new_month() -> None:
    from metering.models import Charge, Reservation, SpendMonth, SpendShare

    for table in (Charge, Reservation, SpendShare, SpendMonth):
        table.objects.all().delete()


def main(rounds: int) -> None:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from django.db import connections

    from tests.assistant.live_site import database_of_this_run

    connection = connections["default"]
    named = connection.settings_dict["NAME"]
    connection.settings_dict["TEST"]["NAME"] = f"test_{named}_{os.getpid()}"
    connection.creation.create_test_db(verbosity=0)
    try:
        cap = prepare()
        with spenders(database_of_this_run(), cap) as running:
            for number in range(1, rounds + 1):
                began = time.monotonic()
                undisturbed(running, cap)
                after = random.randrange(ASKED // PROCESSES)
                with_a_kill(running, cap, after, lambda: Spender(database_of_this_run(), cap))
                seconds = time.monotonic() - began
                sys.stdout.write(f"round {number}: {FITS} of {ASKED}; killed after {after}; {seconds:.1f} s\n")
                sys.stdout.flush()
    finally:
        connection.creation.destroy_test_db(named, verbosity=0)


if __name__ == "__main__":
    main(int(sys.argv[1]))
