"""The two embedded servers, started for real."""

import os
import shutil
import signal
import socket
import stat
import subprocess

import psycopg
import pytest
import redis

from launcher import process
from launcher.console import Failure
from launcher.ledger import Ledger
from launcher.postgres import Postgres, check_version, holds, recorded_pid
from launcher.supervisor import Supervisor
from launcher.valkey import Valkey

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")


@pytest.fixture(scope="module")
def state(tmp_path_factory):
    """A state directory with a cluster that is made once; pytest's temporary directories are closed to others."""
    made = tmp_path_factory.mktemp("state")
    for folder in (made, *made.parents[:2]):
        folder.chmod(0o711)
    return made


@pytest.fixture
def postgres(state):
    return Postgres.at(state, volatile=True)


@pytest.fixture
def supervisor(tmp_path):
    made = Supervisor(Ledger(tmp_path / "started.json"))
    yield made
    made.stop()


def ask(postgres, statement):
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        return connection.execute(statement).fetchone()[0]


def test_a_cluster_has_what_the_product_needs(postgres, supervisor):
    supervisor.start(postgres.program)
    assert ask(postgres, "SELECT count(*) FROM pg_available_extensions WHERE name IN ('vector', 'unaccent')") == 2
    assert ask(postgres, "SHOW server_encoding") == "UTF8"
    assert ask(postgres, "SHOW listen_addresses") == ""
    assert ask(postgres, "SELECT lower('ÀЖ')") == "àж", "case folds beyond ASCII"


def test_the_password_is_needed_and_kept_private(postgres, supervisor):
    supervisor.start(postgres.program)
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(postgres.url.replace("trava:", "trava:not", 1))
    assert stat.S_IMODE(postgres.data.with_name("postgres.password").stat().st_mode) == 0o600


def test_data_outlives_a_kill_and_an_open_directory_is_closed_again(state, supervisor):
    postgres = Postgres.at(state)
    supervisor.start(postgres.program)
    with psycopg.connect(postgres.url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 1 AS n")
    os.kill(recorded_pid(postgres.data / "postmaster.pid"), signal.SIGKILL)
    supervisor.stop()
    postgres.data.chmod(0o755)
    supervisor.start(postgres.program)
    assert ask(postgres, "SELECT n FROM kept") == 1
    assert stat.S_IMODE(postgres.data.stat().st_mode) == 0o700


def test_a_stop_does_not_wait_for_clients(postgres, supervisor):
    supervisor.start(postgres.program)
    with psycopg.connect(postgres.url) as idle:
        idle.execute("SELECT 1")
        supervisor.stop()
        with pytest.raises(psycopg.OperationalError):
            idle.execute("SELECT 1")


def test_a_foreign_process_in_the_pid_file_is_neither_believed_nor_killed(postgres, supervisor, capsys):
    with subprocess.Popen(["sleep", "60"]) as foreign:
        (postgres.data / "postmaster.pid").write_text(f"{foreign.pid}\n{postgres.data}\n1700000000\n5432\n")
        supervisor.start(postgres.program)
        assert ask(postgres, "SELECT 1") == 1
        assert f"names process {foreign.pid}, which is no server of ours" in capsys.readouterr().err
        assert foreign.poll() is None
        foreign.kill()


def test_a_server_of_another_directory_is_not_ours(postgres, supervisor, tmp_path):
    supervisor.start(postgres.program)
    pid = recorded_pid(postgres.data / "postmaster.pid")
    assert holds(pid, postgres.data)
    assert not holds(pid, tmp_path)
    assert not holds(os.getpid(), postgres.data)


def test_a_server_left_running_is_stopped_before_the_next_start(postgres, supervisor, capsys):
    left = process.start(postgres.program.command, log=postgres.log, death_signal=signal.SIGINT)
    assert process.wait_until(postgres.program.ready, 30)
    supervisor.start(postgres.program)
    assert left.wait(10) == 0
    assert f"left running here (process {left.pid})" in capsys.readouterr().err
    assert ask(postgres, "SELECT 1") == 1


def test_a_making_that_was_cut_short_is_cleared_away(state, postgres):
    (state / "initdb-old" / "data").mkdir(parents=True)
    shutil.move(postgres.data, state / "aside")
    try:
        Postgres.at(state, volatile=True)
        assert not list(state.glob("initdb-*"))
        assert (postgres.data / "PG_VERSION").exists()
    finally:
        shutil.rmtree(state / "aside")


def test_an_older_cluster_is_refused_and_untouched(tmp_path):
    (tmp_path / "PG_VERSION").write_text("15\n")
    with pytest.raises(Failure, match=r"was made by PostgreSQL 15, this is PostgreSQL 18"):
        check_version(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["PG_VERSION"]


def test_a_directory_that_is_no_cluster_is_refused(tmp_path):
    check_version(tmp_path / "none")
    with pytest.raises(Failure, match="is not a PostgreSQL data directory"):
        check_version(tmp_path)


@pytest.mark.parametrize(
    ("text", "pid"), [("123\n/data\n", 123), ("", None), ("-5\n", None), ("abc", None), ("0\n", None)]
)
def test_a_pid_file_is_read_with_suspicion(tmp_path, text, pid):
    (tmp_path / "postmaster.pid").write_text(text)
    assert recorded_pid(tmp_path / "postmaster.pid") == pid
    assert recorded_pid(tmp_path / "none") is None


def test_valkey_keeps_what_it_accepted_through_a_kill(tmp_path, supervisor):
    first = Valkey.at(tmp_path)
    supervisor.start(first.program)
    with redis.Redis.from_url(first.url) as client:
        client.set("accepted", "yes")
    (entry,) = Ledger(tmp_path / "started.json").read()
    os.kill(entry.pid, signal.SIGKILL)
    supervisor.stop()
    again = Valkey.at(tmp_path)
    supervisor.start(again.program)
    with redis.Redis.from_url(again.url) as client:
        assert client.get("accepted") == b"yes"


def test_valkey_answers_nobody_without_its_password(tmp_path, supervisor):
    valkey = Valkey.at(tmp_path)
    supervisor.start(valkey.program)
    with socket.create_connection(("127.0.0.1", valkey.port)) as stranger:
        stranger.sendall(b"PING\r\n")
        assert stranger.recv(64).startswith(b"-NOAUTH")
    assert stat.S_IMODE((tmp_path / "valkey" / "valkey.conf").stat().st_mode) == 0o600
    assert valkey.password not in repr(valkey)
