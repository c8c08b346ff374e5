"""The two embedded servers, for a run, for the tests, or alone.

Where DATABASE_URL or REDIS_URL is set, that server is used and none is started in its place.
"""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TextIO

from launcher import guardian, lock
from launcher.console import say
from launcher.ledger import Ledger
from launcher.postgres import Postgres
from launcher.supervisor import Supervisor, clear_leftovers
from launcher.valkey import Valkey


class Stopped(Exception):
    """Ctrl-C, SIGTERM or SIGHUP was received."""


@contextmanager
def supervised(state: Path) -> Iterator[tuple[Supervisor, TextIO]]:
    """A supervisor that has `state` to itself and stops all it started on the way out.

    Signals that ask for an end raise Stopped inside; while things are being stopped they are not heard again.
    """
    held = lock.acquire(state / "lock")
    ledger = Ledger(state / "started.json")
    clear_leftovers(ledger)
    guard = guardian.start(ledger, held)
    supervisor = Supervisor(ledger)
    try:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, _raise_stopped)
        yield supervisor, held
    finally:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        supervisor.stop()
        guard.communicate()
        held.close()


def start_servers(supervisor: Supervisor, state: Path, *, volatile: bool = False) -> dict[str, str]:
    """Start what the environment does not bring; the two addresses, ready to be handed to other programs."""
    addresses = {}
    if url := os.environ.get("DATABASE_URL"):
        addresses["DATABASE_URL"] = url
    else:
        if not (state / "postgres").exists():
            say("Making a PostgreSQL data directory …")
        postgres = Postgres.at(state, volatile=volatile)
        supervisor.start(postgres.program)
        addresses["DATABASE_URL"] = postgres.url
    if url := os.environ.get("REDIS_URL"):
        addresses["REDIS_URL"] = url
    else:
        valkey = Valkey.at(state)
        supervisor.start(valkey.program)
        addresses["REDIS_URL"] = valkey.url
    return addresses


def serve(state: Path, *, volatile: bool = False) -> None:
    """Run the two servers until told to stop; their addresses are printed as shell exports."""
    try:
        with supervised(state) as (supervisor, _):
            for name, url in start_servers(supervisor, state, volatile=volatile).items():
                say(f"export {name}='{url}'")
            while True:
                supervisor.watch()
                time.sleep(0.25)
    except Stopped:
        return


def _raise_stopped(number: int, _frame: FrameType | None) -> None:
    raise Stopped(signal.Signals(number).name)
