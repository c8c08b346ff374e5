import os
import signal
import time

import pytest

from launcher import process
from launcher.console import Failure
from launcher.ledger import Ledger
from launcher.program import Program
from launcher.supervisor import Supervisor, clear_leftovers

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")


@pytest.fixture
def ledger(tmp_path):
    return Ledger(tmp_path / "started.json")


@pytest.fixture
def supervisor(ledger):
    made = Supervisor(ledger)
    yield made
    made.stop()


@pytest.fixture
def program(tmp_path):
    def make(name, script, **more):
        more.setdefault("ready", (tmp_path / f"{name}.ready").exists)
        return Program(name, ("sh", "-c", script.format(here=tmp_path)), tmp_path / f"{name}.log", **more)

    return make


def watch_until(supervisor, condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "did not come about"
        supervisor.watch()
        time.sleep(0.02)


def test_a_start_waits_for_readiness_and_is_written_down(supervisor, ledger, program, tmp_path):
    supervisor.start(program("one", "sleep 0.3; touch {here}/one.ready; sleep 60"))
    assert (tmp_path / "one.ready").exists()
    (entry,) = ledger.read()
    assert (entry.name, entry.runs) == ("one", True)


def test_a_program_that_ends_while_starting_is_reported_with_its_last_words(supervisor, program):
    with pytest.raises(Failure, match="one did not start: Its log ends: no such table"):
        supervisor.start(program("one", "echo hello; echo no such table; exit 3"))


def test_a_program_that_never_gets_ready_is_reported(supervisor, program):
    with pytest.raises(Failure, match="one was not ready after 0 s"):
        supervisor.start(program("one", "sleep 60", start_limit=0.2))


def test_a_killed_program_is_started_again(supervisor, ledger, program, capsys):
    supervisor.start(program("one", "touch {here}/one.ready; sleep 60"))
    (before,) = ledger.read()
    os.kill(before.pid, signal.SIGKILL)
    watch_until(supervisor, lambda: ledger.read()[0].pid != before.pid)
    assert ledger.read()[0].runs
    assert "one was ended by signal 9: starting it again" in capsys.readouterr().err


def test_what_a_killed_program_had_started_goes_with_it(supervisor, ledger, program, tmp_path):
    supervisor.start(program("one", "sleep 60 & echo $! > {here}/new; mv {here}/new {here}/one.ready; wait"))
    grandchild = int((tmp_path / "one.ready").read_text())
    (before,) = ledger.read()
    os.kill(before.pid, signal.SIGKILL)
    watch_until(supervisor, lambda: ledger.read()[0].pid != before.pid)
    assert process.wait_until(lambda: not process.alive(grandchild), 10)


def test_pauses_grow_while_a_program_keeps_dying(supervisor, program, capsys, monkeypatch):
    monkeypatch.setattr("launcher.supervisor.FIRST_PAUSE", 0.02)
    monkeypatch.setattr("launcher.supervisor.LONGEST_PAUSE", 0.1)
    supervisor.start(program("one", "echo >> {here}/one.ready; sleep 0.1; exit 3"))
    said = []
    watch_until(supervisor, lambda: said.append(capsys.readouterr().err) or "".join(said).count("again in") >= 5)
    pauses = [float(line.split("again in ")[1].split()[0]) for line in "".join(said).splitlines() if "again in" in line]
    assert pauses == sorted(pauses)
    assert pauses[0] < pauses[-1] <= 0.1


def test_a_failed_check_before_a_restart_is_said_and_tried_again(supervisor, ledger, program, capsys, monkeypatch):
    monkeypatch.setattr("launcher.supervisor.FIRST_PAUSE", 0.02)
    answers = iter([None, Failure("the disk is full"), None])

    def before():
        if failure := next(answers):
            raise failure

    supervisor.start(program("one", "touch {here}/one.ready; sleep 60", before=before))
    (first,) = ledger.read()
    os.kill(first.pid, signal.SIGKILL)
    watch_until(supervisor, lambda: ledger.read()[0].pid != first.pid)
    assert "the disk is full" in capsys.readouterr().err


def test_programs_stop_in_reverse_order_each_by_its_signal(supervisor, ledger, program, tmp_path):
    script = (
        "trap 'echo {name} >> {{here}}/order; exit 0' {signal}; touch {{here}}/{name}.ready;"
        "while :; do sleep 0.05; done"
    )
    supervisor.start(program("one", script.format(name="one", signal="INT"), stop_signal=signal.SIGINT))
    supervisor.start(program("two", script.format(name="two", signal="TERM")))
    supervisor.stop()
    assert (tmp_path / "order").read_text().split() == ["two", "one"]
    assert ledger.read() == []


def test_a_deaf_program_is_killed_after_its_grace(supervisor, ledger, program, capsys):
    supervisor.start(program("one", "trap '' TERM; touch {here}/one.ready; while :; do sleep 0.05; done", grace=0.2))
    (entry,) = ledger.read()
    supervisor.stop()
    assert not entry.runs
    assert "one did not stop within" in capsys.readouterr().err


def test_a_step_that_fails_is_reported_and_one_that_works_is_shown(supervisor, ledger, program, capfd):
    supervisor.complete(program("step", "echo all well"))
    assert "all well" in capfd.readouterr().out
    with pytest.raises(Failure, match=r"step failed\. Its log ends: no room"):
        supervisor.complete(program("step", "echo no room >&2; exit 1"))


def test_leftovers_of_a_supervisor_without_guardian_are_stopped(tmp_path, ledger, capsys):
    lost = Supervisor(ledger)
    lost.start(Program("one", ("sleep", "60"), tmp_path / "log"))
    (entry,) = ledger.read()
    clear_leftovers(ledger)
    assert not entry.runs
    assert "left behind: one" in capsys.readouterr().out
    assert ledger.read() == []
    lost.stop()
