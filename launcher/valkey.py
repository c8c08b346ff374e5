"""The embedded Valkey: on a free loopback port, behind a password, keeping what it was told in a log.

The port and the password are new at each start of the supervisor and the same when it restarts the server.
"""

import secrets
import socket
from dataclasses import dataclass, field
from pathlib import Path

from launcher.paths import valkey_binary
from launcher.program import Program


@dataclass(frozen=True)
class Valkey:
    """The server that keeps its data in `data`."""

    data: Path
    log: Path
    port: int
    password: str = field(repr=False)

    @classmethod
    def at(cls, state: Path) -> "Valkey":
        (state / "log").mkdir(parents=True, exist_ok=True)
        data = state / "valkey"
        data.mkdir(mode=0o700, exist_ok=True)
        return cls(data, state / "log" / "valkey.log", free_port(), secrets.token_urlsafe(24))

    @property
    def url(self) -> str:
        """The REDIS_URL of this server, database 0."""
        return f"redis://:{self.password}@127.0.0.1:{self.port}/0"

    @property
    def program(self) -> Program:
        return Program(
            name="valkey",
            command=(valkey_binary(), self.data / "valkey.conf"),
            log=self.log,
            cwd=self.data,
            before=self._configure,
            ready=self._answers,
        )

    def _configure(self) -> None:
        """Write the configuration: a file, so that the password shows in no process list."""
        path = self.data / "valkey.conf"
        path.unlink(missing_ok=True)
        path.touch(mode=0o600)
        path.write_text(
            f"bind 127.0.0.1\nport {self.port}\nrequirepass {self.password}\nappendonly yes\ndatabases 64\n",
            encoding="ascii",
        )

    def _answers(self) -> bool:
        """Whether it has loaded its data and takes commands."""
        request = f"AUTH {self.password}\r\nPING\r\n".encode("ascii")
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                connection.sendall(request)
                return b"+PONG" in _lines(connection, 2)
        except OSError:
            return False


def _lines(connection: socket.socket, count: int) -> bytes:
    answer = b""
    while answer.count(b"\r\n") < count:
        received = connection.recv(256)
        if not received:
            break
        answer += received
    return answer


def free_port() -> int:
    """A loopback port that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
