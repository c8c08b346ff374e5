import os
import signal
from dataclasses import replace

import pytest

from launcher import process
from launcher.ledger import Entry, Ledger, stop

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")


@pytest.fixture
def started(tmp_path):
    """Start shell commands as entries of a ledger; all of them are gone afterwards."""
    children = []

    def start(script, grace=5.0):
        child = process.start(["sh", "-c", script], log=tmp_path / "log")
        children.append(child)
        return Entry("program", child.pid, process.born(child.pid), int(signal.SIGTERM), grace)

    yield start
    for child in children:
        process.signal_group(child.pid, signal.SIGKILL)
        child.wait()


def test_a_ledger_gives_back_what_was_written(tmp_path, started):
    ledger = Ledger(tmp_path / "started.json")
    assert ledger.read() == []
    entries = [started("sleep 30"), started("sleep 31")]
    ledger.write(entries)
    assert Ledger(ledger.path).read() == entries


@pytest.mark.parametrize("text", ["", "{", "[1]", '[{"name": "x"}]', "null"])
def test_a_broken_ledger_holds_nothing(tmp_path, text):
    (tmp_path / "started.json").write_text(text)
    assert Ledger(tmp_path / "started.json").read() == []


def test_a_process_that_got_an_old_id_is_left_alone(started):
    entry = started("sleep 30")
    assert stop([replace(entry, born="1")]) == []
    assert entry.runs


def test_stopping_ends_the_whole_family(tmp_path, started):
    entry = started(f"sleep 60 & echo $! > {tmp_path}/child; wait")
    assert process.wait_until(lambda: (tmp_path / "child").exists() and (tmp_path / "child").read_text(), 10)
    child = int((tmp_path / "child").read_text())
    assert stop([entry]) == ["program"]
    assert process.wait_until(lambda: not process.alive(child), 10)


def test_what_a_dead_process_left_behind_is_ended_too(tmp_path, started):
    entry = started(f"sleep 60 & echo $! > {tmp_path}/new; mv {tmp_path}/new {tmp_path}/child; wait")
    assert process.wait_until((tmp_path / "child").exists, 10)
    child = int((tmp_path / "child").read_text())
    os.kill(entry.pid, signal.SIGKILL)
    assert process.wait_until(entry.ended, 10)
    assert process.alive(child)
    assert stop([entry]) == []
    assert process.wait_until(lambda: not process.alive(child), 10)


def test_a_stubborn_process_is_killed_after_its_grace(tmp_path, started):
    entry = started(f"trap '' TERM; echo > {tmp_path}/deaf; while :; do sleep 1; done", grace=0.2)
    assert process.wait_until((tmp_path / "deaf").exists, 10)
    assert stop([entry]) == ["program"]
    assert process.wait_until(entry.ended, 10)
