"""One supervisor per state directory: a file lock that the kernel gives back however its holder ends.

The guardian holds it too, so that the next start waits until what was left behind has been stopped.
"""

import fcntl
import os
import time
from pathlib import Path
from typing import TextIO

from launcher import process
from launcher.console import Failure, say


def acquire(path: Path, *, patience: float = 45.0) -> TextIO:
    """Hold the lock until the returned file is closed in every process that has it.

    Raises Failure where a live supervisor holds it, or where the guardian of a dead one needs longer than
    `patience` (seconds).
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    file = path.open("a+", encoding="utf-8")
    try:
        if not _locked(file):
            _wait(file, path, patience)
    except BaseException:
        file.close()
        raise
    announce(file)
    return file


def _wait(file: TextIO, path: Path, patience: float) -> None:
    _refuse_beside_a_live_one(path)
    say("The previous run is still being stopped …")
    end = time.monotonic() + patience
    while not _locked(file):
        _refuse_beside_a_live_one(path)
        if time.monotonic() > end:
            raise Failure(f"What the previous run left behind does not stop; {path} is still held.")
        time.sleep(0.1)


def _refuse_beside_a_live_one(path: Path) -> None:
    pid, _, address = path.read_text(encoding="utf-8").strip().partition(" ")
    if pid.isdecimal() and process.alive(int(pid)):
        where = f" at {address}" if address else ""
        raise Failure(f"Already running here (process {pid}){where}: stop that one first.")


def announce(file: TextIO, address: str = "") -> None:
    """Write into the lock who holds it and where it can be reached."""
    file.seek(0)
    file.truncate()
    file.write(f"{os.getpid()} {address}".strip() + "\n")
    file.flush()


def _locked(file: TextIO) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
