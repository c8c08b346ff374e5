"""Kills a running launcher, or one of its programs, with -9 at a random moment, and looks at what comes of it.

A round holds when nothing is left running, everything that was accepted is still there, and the next start
works. By hand, for the whole site: `python -m tests.launcher.kill_rounds 20 --command run`. Linux only: it finds
processes in /proc by their ancestry, a mark in their environment, and the state directory in their arguments.
"""

import argparse
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import redis

from launcher import process
from launcher.console import say
from launcher.ledger import Ledger
from launcher.paths import ROOT
from launcher.valkey import free_port

VICTIMS = {
    "services": ("supervisor", "postgres", "valkey"),
    "run": ("supervisor", "postgres", "worker", "supervisor", "valkey", "web"),
}
READY = {"services": "export REDIS_URL", "run": "Ready: "}
PATIENCE = 90.0  # seconds for anything to come about on a busy machine
TABLE = "kill_rounds_accepted"


@dataclass
class Accepted:
    """Numbers that both servers have acknowledged, written one after the other until told to stop."""

    addresses: dict[str, str]
    first: int
    rows: list[int] = field(default_factory=list)
    items: list[int] = field(default_factory=list)
    _over: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> "Accepted":
        self._thread = threading.Thread(target=self._write)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _write(self) -> None:
        number = self.first
        while not self._over.wait(0.01):
            number += 1
            try:
                with psycopg.connect(self.addresses["DATABASE_URL"], autocommit=True) as connection:
                    connection.execute(f"INSERT INTO {TABLE} VALUES (%s)", [number])
                self.rows.append(number)
                with redis.Redis.from_url(self.addresses["REDIS_URL"]) as client:
                    client.rpush(TABLE, number)
                self.items.append(number)
            except (psycopg.Error, redis.RedisError):
                continue

    def missing(self, addresses: dict[str, str]) -> int:
        """How many acknowledged numbers are no longer there."""
        with psycopg.connect(addresses["DATABASE_URL"]) as connection:
            rows = {row[0] for row in connection.execute(f"SELECT n FROM {TABLE}")}
        with redis.Redis.from_url(addresses["REDIS_URL"]) as client:
            items = {int(item) for item in client.lrange(TABLE, 0, -1)}
        return len(set(self.rows) - rows) + len(set(self.items) - items)


class Launched:
    """One launcher process on a state directory, and everything that descends from it."""

    def __init__(self, state: Path, command: str) -> None:
        self.state, self.command, self.port = state, command, free_port()
        self.mark = f"KILL_ROUND={state.name}-{time.monotonic_ns()}"
        self.output = state / "output"
        bare = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "REDIS_URL", "SITE_URL")}
        name, _, value = self.mark.partition("=")
        with self.output.open("wb") as output:
            self.popen = subprocess.Popen(
                [sys.executable, "-m", "launcher", command, "--state", str(state)],
                env={**bare, name: value, "PORT": str(self.port)},
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=ROOT,
                start_new_session=True,
            )

    def wait_ready(self) -> None:
        expect(lambda: READY[self.command] in self.said() or self.popen.poll() is not None, "ready")
        assert self.popen.poll() is None, self.said()

    def said(self) -> str:
        return self.output.read_text(errors="replace")

    def addresses(self) -> dict[str, str]:
        source = self.said() if self.command == "services" else (self.state / "environment").read_text()
        return dict(re.findall(r"^(?:export )?(DATABASE_URL|REDIS_URL)='(.*)'$", source, re.MULTILINE))

    def pid(self, name: str) -> int:
        return next(entry.pid for entry in Ledger(self.state / "started.json").read() if entry.name == name)

    def family(self) -> dict[int, str]:
        """Everything that runs on account of this start, by id and birth."""
        parents, found = {}, {self.popen.pid}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(") ")[2].split()[1])
                known = (folder / "environ").read_bytes() + b"\0" + (folder / "cmdline").read_bytes()
            except (OSError, ValueError):
                continue
            if self.mark.encode() in known or f"{self.state}/".encode() in known:
                found.add(int(folder.name))
        while more := {pid for pid, parent in parents.items() if parent in found} - found:
            found |= more
        return {pid: born for pid in found if (born := process.born(pid))}

    def stop(self) -> None:
        before = self.family()
        self.popen.terminate()
        assert self.popen.wait(PATIENCE) == 0, self.said()
        self.expect_gone(before)

    def expect_gone(self, before: dict[int, str]) -> None:
        expect(lambda: not self.family() and all(process.born(p) != b for p, b in before.items()), "all gone")


def expect(condition: Callable[[], bool], what: str) -> None:
    assert process.wait_until(condition, PATIENCE), f"not {what} within {PATIENCE:.0f} s"


def kill_supervisor(state: Path, command: str, first: int, moment: float) -> str:
    """Kill the supervisor `moment` seconds after its start, ready or not; then start and look."""
    launched = Launched(state, command)
    time.sleep(moment)
    ready = READY[command] in launched.said()
    if ready:
        with Accepted(launched.addresses(), first) as accepted:
            time.sleep(0.5)
            before = launched.family()
            launched.popen.kill()
    else:
        accepted, before = Accepted({}, first), launched.family()
        launched.popen.kill()
    killed = time.monotonic()
    launched.popen.wait()
    launched.expect_gone(before)
    gone = time.monotonic() - killed
    again = Launched(state, command)
    again.wait_ready()
    missing = accepted.missing(again.addresses())
    again.stop()
    assert missing == 0, f"{missing} accepted writes are missing"
    return f"{'running' if ready else 'starting'}, all {len(before)} gone after {gone:.1f} s, {len(accepted.rows)} kept"


def kill_program(state: Path, command: str, victim: str, first: int, moment: float) -> str:
    """Kill one program `moment` seconds after all were ready; it has to come back with all it had accepted."""
    launched = Launched(state, command)
    launched.wait_ready()
    with Accepted(launched.addresses(), first) as accepted:
        time.sleep(moment)
        old = launched.pid(victim)
        os.kill(old, signal.SIGKILL)
        killed = time.monotonic()
        expect(lambda: launched.pid(victim) != old, f"{victim} started again")
        back = time.monotonic() - killed
        written = len(accepted.items)
        expect(lambda: len(accepted.items) > written + 3, "writing again")
        resumed = time.monotonic() - killed
    missing = accepted.missing(launched.addresses())
    launched.stop()
    assert missing == 0, f"{missing} accepted writes are missing"
    return f"back after {back:.1f} s, writing after {resumed:.1f} s, {len(accepted.rows)} kept"


def play(state: Path, command: str, victim: str, number: int, chance: random.Random, span: float) -> str:
    """One round; what was seen. Raises AssertionError where it does not hold.

    The supervisor is killed within `span` seconds of its start, a program within two of its being ready.
    """
    if victim == "supervisor":
        return kill_supervisor(state, command, number * 1_000_000, chance.uniform(0, span))
    return kill_program(state, command, victim, number * 1_000_000, chance.uniform(0, 2))


def make_table(state: Path, command: str) -> float:
    """A first, undisturbed start: the place for what the rounds write, and the seconds until it was ready."""
    began = time.monotonic()
    launched = Launched(state, command)
    launched.wait_ready()
    seconds = time.monotonic() - began
    with psycopg.connect(launched.addresses()["DATABASE_URL"]) as connection:
        connection.execute(f"CREATE TABLE {TABLE} (n bigint)")
    launched.stop()
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rounds", type=int)
    parser.add_argument("--command", choices=sorted(VICTIMS), default="services")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    given = parser.parse_args()
    chance = random.Random(given.seed)
    say(f"{given.rounds} rounds of {given.command}, seed {given.seed}")
    with tempfile.TemporaryDirectory(prefix="kill-rounds-") as folder:
        state = Path(folder)
        span = make_table(state, given.command)
        say(f"first start ready after {span:.1f} s")
        for number in range(1, given.rounds + 1):
            victim = VICTIMS[given.command][(number - 1) % len(VICTIMS[given.command])]
            say(f"{number:3} {victim:10} {play(state, given.command, victim, number, chance, span)}")


if __name__ == "__main__":
    main()
