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
    waiting_since: float | None = None
    while not _locked(file):
        holder, address = _holder(path)
        if holder and process.alive(holder):
            raise Failure(f"Already running here (process {holder}){address}: stop that one first.")
        if waiting_since is None:
            waiting_since = time.monotonic()
            say("The previous run is still being stopped …")
        if time.monotonic() - waiting_since > patience:
            raise Failure(f"What the previous run left behind does not stop; {path} is still held.")
        time.sleep(0.1)
    announce(file)
    return file


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


def _holder(path: Path) -> tuple[int | None, str]:
    pid, _, address = path.read_text(encoding="utf-8").strip().partition(" ")
    return (int(pid) if pid.isdecimal() else None), (f" at {address}" if address else "")
