"""Starts programs in order, restarts those that die, and stops all of them in reverse order.

It runs on the main thread alone: the kernel ties the children to the thread that started them.
"""

import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from launcher import process
from launcher.console import Failure, complain, say
from launcher.ledger import Entry, Ledger, stop
from launcher.program import Program

LONGEST_PAUSE = 30.0  # seconds between two attempts to restart a program that keeps dying
FIRST_PAUSE = 0.5  # seconds; each further death doubles it
STEADY = 60.0  # seconds after which a program counts as running well, and its pauses start small again


@dataclass
class Child:
    """A started program."""

    program: Program
    popen: subprocess.Popen[bytes]
    entry: Entry
    since: float = field(default_factory=time.monotonic)
    deaths: int = 0
    restart_at: float | None = None

    @property
    def ended(self) -> bool:
        return self.popen.poll() is not None

    def pause(self) -> float:
        """Put off the restart, longer with each death in a row; the seconds."""
        seconds = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(self.deaths - 1, 16))
        self.restart_at = time.monotonic() + seconds
        return seconds


class Supervisor:
    """The programs of one run. `start` each, call `watch` again and again, `stop` at the end."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._children: list[Child] = []

    def start(self, program: Program) -> None:
        """Start a program and wait until it is ready; raises Failure with the last line of its log."""
        program.before()
        _cut(program.log)
        child = self._spawn(program)
        self._children.append(child)
        self._record()
        self._await(child)

    def complete(self, program: Program) -> None:
        """Run a program to its end, its standard output shown; raises Failure where it fails."""
        child = self._spawn(program, show=True)
        self._children.append(child)
        self._record()
        if child.popen.wait() != 0:
            raise Failure(f"{program.name} failed. {last_line(program.log)}")
        self._children.remove(child)
        self._record()

    def watch(self) -> None:
        """Look once at every child: clear up after a death, restart when its pause is over."""
        for child in self._children:
            if child.restart_at is None and child.ended:
                self._note_death(child)
            if child.restart_at is not None and time.monotonic() >= child.restart_at:
                self._restart(child)

    def stop(self) -> None:
        """Stop everything, last started first, each within its grace."""
        for child in reversed(self._children):
            if child.restart_at is None:
                _end(child)
        self._children.clear()
        self._record()

    def _spawn(self, program: Program, *, show: bool = False) -> Child:
        popen = process.start(
            program.command,
            log=program.log,
            show=show,
            env=program.env or None,
            cwd=program.cwd,
            death_signal=program.stop_signal,
        )
        born = process.born(popen.pid) or ""
        entry = Entry(program.name, popen.pid, born, int(program.stop_signal), program.grace)
        return Child(program, popen, entry)

    def _await(self, child: Child) -> None:
        program = child.program
        came = process.wait_until(lambda: child.ended or program.ready(), program.start_limit, 0.1)
        if child.ended:
            raise Failure(f"{program.name} did not start: {last_line(program.log)}")
        if not came:
            raise Failure(f"{program.name} was not ready after {program.start_limit:.0f} s; see {program.log}.")

    def _note_death(self, child: Child) -> None:
        process.signal_group(child.popen.pid, signal.SIGKILL)  # what it started itself must not outlive it
        child.deaths = 1 if time.monotonic() - child.since > STEADY else child.deaths + 1
        pause = child.pause()
        reason = _reason(child.popen.returncode)
        complain(f"{child.program.name} {reason}: starting it again in {pause:.1f} s. {last_line(child.program.log)}")

    def _restart(self, child: Child) -> None:
        try:
            child.program.before()
        except Failure as failure:
            complain(str(failure))
            child.deaths += 1
            child.pause()
            return
        fresh = self._spawn(child.program)
        child.popen, child.entry, child.since, child.restart_at = fresh.popen, fresh.entry, fresh.since, None
        self._record()

    def _record(self) -> None:
        self._ledger.write([child.entry for child in self._children])


def _end(child: Child) -> None:
    """Stop a program and all it has started itself; one that has just died may have left those behind."""
    say(f"Stopping {child.program.name} …")
    child.popen.send_signal(child.program.stop_signal)
    try:
        child.popen.wait(child.program.grace)
    except subprocess.TimeoutExpired:
        complain(f"{child.program.name} did not stop within {child.program.grace:.0f} s: killed.")
    process.signal_group(child.popen.pid, signal.SIGKILL)
    child.popen.wait()


def clear_leftovers(ledger: Ledger) -> None:
    """Stop what an earlier supervisor left running, where its guardian could not."""
    # Only what certainly is ours: much may have happened since, and a group has no time of birth.
    if stopped := stop([entry for entry in ledger.read() if entry.runs]):
        say(f"Stopped what an earlier run had left behind: {', '.join(stopped)}.")
    ledger.write([])


def last_line(log: Path) -> str:
    """The last line of a log that says something, cut to 300 characters."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - 4000))
            lines = file.read().decode("utf-8", errors="replace").strip().splitlines()
    except FileNotFoundError:
        lines = []
    return f"Its log ends: {lines[-1].strip()[:300]} ({log})" if lines else f"Its log is empty ({log})."


def _cut(log: Path, limit: int = 10_000_000) -> None:
    """Keep one older log once a log is over `limit` bytes."""
    if log.exists() and log.stat().st_size > limit:
        log.replace(log.with_suffix(".old.log"))


def _reason(status: int) -> str:
    return f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
