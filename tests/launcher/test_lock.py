import os
import subprocess
import sys

import pytest

from launcher import lock
from launcher.console import Failure
from launcher.paths import ROOT

HOLDER = (
    "import sys, time; from pathlib import Path; from launcher import lock;"
    "held = lock.acquire(Path(sys.argv[1])); lock.announce(held, 'http://localhost:9');"
    "print('held', flush=True); time.sleep(60)"
)


def test_a_second_start_is_told_who_runs_and_where(tmp_path):
    path = tmp_path / "lock"
    with subprocess.Popen([sys.executable, "-c", HOLDER, path], stdout=subprocess.PIPE, cwd=ROOT) as holder:
        holder.stdout.readline()
        try:
            with pytest.raises(Failure, match=rf"^Already running here \(process {holder.pid}\) at http://localhost:9"):
                lock.acquire(path)
        finally:
            holder.kill()
            holder.wait()
    lock.acquire(path).close()


def test_a_lock_that_a_dead_holder_left_to_its_guardian_is_waited_for(tmp_path, capsys):
    held = lock.acquire(tmp_path / "lock")
    held.seek(0)
    held.truncate()
    held.write("4194305 http://localhost:9\n")  # above the kernel's largest process id
    held.flush()
    with pytest.raises(Failure, match="does not stop"):
        lock.acquire(tmp_path / "lock", patience=0.3)
    assert "still being stopped" in capsys.readouterr().out
    held.close()


def test_the_holder_is_written_down(tmp_path):
    with lock.acquire(tmp_path / "lock"):
        assert (tmp_path / "lock").read_text() == f"{os.getpid()}\n"
