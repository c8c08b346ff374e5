"""`make test`: the whole suite on servers of its own, in a temporary directory, gone afterwards."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from launcher import preflight, process
from launcher.paths import ROOT
from launcher.services import Stopped, start_servers, supervised

INTERRUPTED = 130  # what a shell reports for Ctrl-C


def run_tests(arguments: list[str]) -> int:
    """Run pytest on two workers with `arguments` added; its exit status."""
    preflight.disk(Path(tempfile.gettempdir()), preflight.RUN_BYTES)
    command = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadgroup", "-q", "-rs", *arguments]
    with tempfile.TemporaryDirectory(prefix="trava-test-") as folder:
        state = Path(folder)
        state.chmod(0o711)  # the user nobody passes through it where PostgreSQL runs as nobody
        try:
            with supervised(state) as (supervisor, _):
                addresses = start_servers(supervisor, state, volatile=True)
                return _pytest(command, {**os.environ, **addresses})
        except Stopped:
            return INTERRUPTED


def _pytest(command: list[str], env: dict[str, str]) -> int:
    popen = subprocess.Popen(command, env=env, cwd=ROOT, preexec_fn=process.tied())
    try:
        return popen.wait()
    finally:
        popen.terminate()
        popen.wait()
