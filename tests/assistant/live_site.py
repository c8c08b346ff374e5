"""A real daphne on a free port, on this test run's own database and Valkey number."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from django.db import connections
from psycopg.conninfo import make_conninfo

from launcher.run import WEB_SERVER

ROOT = Path(__file__).parents[2]
REAL = "config.asgi:application"
SLOW = "tests.assistant.slow_site:application"
STARTS_WITHIN = 180  # seconds; ten on an idle machine, most of them for the pattern indexes


@contextmanager
def live_site(log: Path, application: str = REAL, *arguments: str, **environment: str) -> Iterator[int]:
    """Run the site in a process of its own, with more of daphne's arguments or without, and give its port."""
    with live_process(log, application, *arguments, **environment) as (_process, port):
        yield port


@contextmanager
def live_process(
    log: Path, application: str = REAL, *arguments: str, **environment: str
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The same for a test that ends the process itself."""
    port = _free_port()
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, *WEB_SERVER, *arguments, "-b", "127.0.0.1", "-p", str(port), application],
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": database_of_this_run(), "RATE_LIMITS": "10000/minute", **environment},
            stdout=output,
            stderr=output,
        )
    try:
        _await(process, port, log)
        yield process, port
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)  # answers that run are let finish, and a shared machine may be slow


def database_of_this_run() -> str:
    """Return the address of the test database, for a process of its own."""
    now = connections["default"].settings_dict
    return make_conninfo(
        dbname=now["NAME"], user=now["USER"], password=now["PASSWORD"], host=now["HOST"], port=now["PORT"]
    )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _await(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    end = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < end and process.poll() is None:
        connection = HTTPConnection("127.0.0.1", port, timeout=5)
        try:
            # Not before it is warm: what a test waits for is the site, not its start.
            connection.request("GET", "/healthz")
            answer = connection.getresponse()
            if answer.status == 200 and b'"warm": true' in answer.read():
                return
            time.sleep(0.2)
        except (OSError, HTTPException):
            time.sleep(0.1)
        finally:
            connection.close()
    raise AssertionError(f"daphne did not start:\n{log.read_text(errors='replace')[-2000:]}")
