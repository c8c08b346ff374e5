"""Starting, recognising and stopping processes.

A started process leads a session of its own, so that a Ctrl-C in the terminal reaches the supervisor alone
and a whole family can be ended by its group. On Linux the kernel signals it when its starter dies, however
that happens; elsewhere the guardian and the next start do that.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

PR_SET_PDEATHSIG = 1  # linux/prctl.h
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def start(
    command: Sequence[str | Path],
    *,
    log: Path,
    show: bool = False,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    death_signal: signal.Signals = signal.SIGTERM,
) -> subprocess.Popen[bytes]:
    """Start `command` in a session of its own; call it on the main thread, whose end the kernel watches.

    What it writes is appended to `log`; with `show`, its standard output goes where ours goes.
    """
    with log.open("ab") as output:
        return subprocess.Popen(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            stdout=None if show else output,
            stderr=output,
            env=env,
            cwd=cwd,
            start_new_session=True,
            preexec_fn=tied(death_signal),
        )


def tied(death_signal: signal.Signals = signal.SIGTERM) -> Callable[[], None] | None:
    """What a child runs before its program, so that it gets the signal when the calling process dies."""
    libc, parent = _LIBC, os.getpid()
    if libc is None:
        return None

    def tie() -> None:
        libc.prctl(PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0)
        if os.getppid() != parent:  # it died before the kernel was told
            os._exit(1)

    return tie


def alive(pid: int) -> bool:
    """Whether a process with this id runs; a zombie does not."""
    return born(pid) is not None


def born(pid: int) -> str | None:
    """A mark of when the process started, or None where none runs: with the id it names one process for good."""
    if sys.platform == "linux":
        try:
            fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b") ")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            return None
        if fields[0] in (b"Z", b"X"):
            return None
        return f"{_BOOT_ID.read_text(encoding='ascii').strip()} {fields[19].decode()}"  # ticks since that boot
    found = _ps(pid, "stat=,lstart=").split(maxsplit=1)
    return None if not found or found[0].startswith("Z") else found[1]


def command_of(pid: int) -> list[str]:
    """The command line of a process, empty where none runs (on macOS split at spaces)."""
    if sys.platform == "linux":
        try:
            return os.fsdecode(Path(f"/proc/{pid}/cmdline").read_bytes()).rstrip("\0").split("\0")
        except (FileNotFoundError, ProcessLookupError):
            return []
    return _ps(pid, "command=").split()


def _ps(pid: int, columns: str) -> str:
    found = subprocess.run(["ps", "-o", columns, "-p", str(pid)], capture_output=True, text=True, check=False)
    return found.stdout.strip()


def signal_process(pid: int, number: signal.Signals) -> None:
    """Signal one process; nothing happens where it is gone."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def signal_group(pid: int, number: signal.Signals) -> None:
    """Signal a started process and all it has started itself; nothing happens where they are gone."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, number)


def wait_until(condition: Callable[[], bool], seconds: float, every: float = 0.05) -> bool:
    """Poll `condition` until it holds or the time is over; whether it held."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() >= end:
            return False
        time.sleep(every)
    return True
