"""`make test` and `make bench`: the whole suite, or the measurements, on servers of their own in a temporary
directory, gone afterwards."""

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
    """Run pytest on two workers with `arguments` added; its exit status. A file's site is started for it once."""
    return _on_own_servers(["pytest", "-n", "2", "--dist", "loadfile", "-q", "-rs", *arguments])


def run_bench(arguments: list[str]) -> int:
    """Print the measurements that `arguments` name, or all; its exit status."""
    return _on_own_servers(["bench", *arguments])


def _on_own_servers(module: list[str]) -> int:
    preflight.disk(Path(tempfile.gettempdir()), preflight.RUN_BYTES)
    command = [sys.executable, "-m", *module]
    with tempfile.TemporaryDirectory(prefix="trava-test-") as folder:
        state = Path(folder)
        state.chmod(0o711)  # the user nobody passes through it where PostgreSQL runs as nobody
        try:
            with supervised(state) as (supervisor, _):
                addresses = start_servers(supervisor, state, volatile=True)
                # Where /tmp is not ours, Python knows another place and the browser would not.
                return _run(command, {**os.environ, "TMPDIR": tempfile.gettempdir(), **addresses})
        except Stopped:
            return INTERRUPTED


def _run(command: list[str], env: dict[str, str]) -> int:
    popen = subprocess.Popen(command, env=env, cwd=ROOT, preexec_fn=process.tied())
    try:
        return popen.wait()
    finally:
        popen.terminate()
        popen.wait()
