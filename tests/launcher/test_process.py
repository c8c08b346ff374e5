import os
import signal
import subprocess
import sys

import pytest

from launcher import process

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")


def test_a_process_is_named_by_id_and_birth(tmp_path):
    child = process.start(["sleep", "30"], log=tmp_path / "log")
    born = process.born(child.pid)
    assert born
    assert born == process.born(child.pid)
    assert process.command_of(child.pid) == ["sleep", "30"]
    child.kill()
    assert process.wait_until(lambda: not process.alive(child.pid), 10), "a zombie counts as ended"
    child.wait()
    assert process.born(child.pid) is None
    assert process.command_of(child.pid) == []


def test_a_child_leads_its_own_session_and_writes_to_its_log(tmp_path):
    child = process.start(["sh", "-c", "echo out; echo err >&2"], log=tmp_path / "log")
    child.wait()
    assert (tmp_path / "log").read_text() == "out\nerr\n"
    other = process.start(["sleep", "30"], log=tmp_path / "log")
    assert os.getsid(other.pid) == other.pid
    process.signal_group(other.pid, signal.SIGKILL)
    assert other.wait() == -signal.SIGKILL


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel ties children on Linux only")
def test_a_child_ends_with_its_killed_starter(tmp_path):
    script = (
        "import os, signal; from pathlib import Path; from launcher import process;"
        f"print(process.start(['sleep', '60'], log=Path({str(tmp_path / 'log')!r})).pid, flush=True);"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    starter = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    child = int(starter.stdout)
    assert process.wait_until(lambda: not process.alive(child), 10)
