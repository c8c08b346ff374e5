"""The list of what was started, on disk, so that somebody else can stop it when the supervisor cannot.

An entry names a process by its id and its time of birth: an id that was given to another process since
matches nothing, and nothing is done to that process.
"""

import json
import signal
from dataclasses import asdict, dataclass
from pathlib import Path

from launcher import process


@dataclass(frozen=True)
class Entry:
    """A started process, the leader of its group."""

    name: str
    pid: int
    born: str
    stop_signal: int
    grace: float

    @property
    def runs(self) -> bool:
        return process.born(self.pid) == self.born

    def ended(self) -> bool:
        return not self.runs


@dataclass
class Ledger:
    """The entries in `path`, in the order they were started."""

    path: Path

    def read(self) -> list[Entry]:
        """The entries as last written; a missing or broken file holds none."""
        try:
            return [Entry(**row) for row in json.loads(self.path.read_text(encoding="utf-8"))]
        except (FileNotFoundError, ValueError, TypeError):
            return []

    def write(self, entries: list[Entry]) -> None:
        """Replace the whole list in one step, so that a reader never sees half of it."""
        fresh = self.path.with_suffix(".new")
        fresh.write_text(json.dumps([asdict(entry) for entry in entries]), encoding="utf-8")
        fresh.replace(self.path)


def stop(entries: list[Entry]) -> list[str]:
    """End these processes and their groups, last started first; the names of those that were still running.

    Each gets its own signal and its grace (seconds), then its whole group is killed: also that of a process which
    has ended, unless its id has gone to another since.
    """
    running = [entry.name for entry in entries if entry.runs]
    for entry in reversed(entries):
        if entry.runs:
            process.signal_process(entry.pid, signal.Signals(entry.stop_signal))
            process.wait_until(entry.ended, entry.grace)
        if not process.alive(entry.pid) or entry.runs:
            process.signal_group(entry.pid, signal.SIGKILL)
    return running
