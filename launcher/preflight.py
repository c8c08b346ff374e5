"""What can be known before anything is started, each said in one clear line.

A Failure ends the start; what only takes something away is said, and the start goes on.
"""

import errno
import platform
import shutil
import socket
from pathlib import Path

from launcher.console import Failure, say

SETUP_BYTES = 1_200_000_000  # the environment with its development tools and pip's temporary files
RUN_BYTES = 200_000_000  # a new cluster is 40 MB, its write-ahead log grows by 16 MB a segment


def port(value: str) -> int:
    """The port to serve on; raises Failure where it is none, taken, or not ours to take."""
    if not (value.isascii() and value.isdigit() and 0 < int(value) < 65536):
        raise Failure(f"PORT must be a number from 1 to 65535, not {value!r}.")
    number = int(value)
    try:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", number))
    except PermissionError:
        raise Failure(f"Port {number} is reserved for root: choose one from 1024, `make run PORT=8001`.") from None
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        raise Failure(
            f"Port {number} is taken: stop what uses it, or choose another, `make run PORT={number + 1}`."
        ) from None
    return number


def disk(path: Path, needed: int) -> None:
    """Raise Failure where the disk that holds `path` has fewer than `needed` bytes left."""
    existing = next(folder for folder in (path, *path.parents) if folder.exists())
    free = shutil.disk_usage(existing).free
    if free < needed:
        raise Failure(
            f"The disk is full: {existing} has {free // 1_000_000} MB left, {needed // 1_000_000} MB are needed."
        )


def embedder(cpuinfo: Path = Path("/proc/cpuinfo"), machine: str | None = None) -> dict[str, str]:
    """What to set so that this processor runs the site: one without AVX2 would end on the bundled embedder's code."""
    if has_avx2(cpuinfo, machine or platform.machine()):
        return {}
    say("This processor has no AVX2, which the bundled embedder needs: search goes by keyword alone.")
    return {"EMBEDDER": "none"}


def has_avx2(cpuinfo: Path, machine: str) -> bool:
    """Whether the embedder's instructions are there; other processors than x86 have their own."""
    if machine.lower() not in ("x86_64", "amd64") or not cpuinfo.exists():
        return True
    for line in cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines():
        if line.startswith("flags"):
            return "avx2" in line.split()
    return True
