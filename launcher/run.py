"""`make run`: the whole site on this machine, from nothing to an address, until Ctrl-C.

The order is servers, database, worker, web; the way back is the reverse. Addresses and the secret key are
left in `var/environment`, so that a command in a second terminal finds the same site.
"""

import http.client
import os
import secrets
import sys
import time
from dataclasses import replace
from pathlib import Path

from launcher import lock, preflight
from launcher.console import say
from launcher.paths import ROOT
from launcher.program import Program
from launcher.services import Stopped, start_servers, supervised
from launcher.supervisor import Supervisor

WORKER_THREADS = 4
WEB_GRACE = 20.0  # seconds: longer than the web server takes to let its answers finish (config/server.py)
# Bytes of a websocket's frame and message. The server drops a socket that sends more before it holds all of it; a
# question takes 24,000 at most.
LARGEST_FRAME = 65_536
WEB_SERVER = (
    "-m", "config.server", "-v", "0",  # without daphne's access log, which would keep visitors' addresses and questions
    "--websocket-max-frame-size", str(LARGEST_FRAME), "--websocket-max-message-size", str(LARGEST_FRAME),
)  # fmt: skip


def run(state: Path) -> None:
    """Start everything, say where it is, keep it running; returns after an orderly stop, raises Failure."""
    parent = os.getppid()
    try:
        with supervised(state) as (supervisor, held):
            port = preflight.port(os.environ.get("PORT") or "8000")
            preflight.disk(state, preflight.RUN_BYTES)
            site = os.environ.get("SITE_URL") or f"http://127.0.0.1:{port}"
            lock.announce(held, site)
            _start(supervisor, state, port, site)
            say(f"\nReady: {site}\n  chat   {site}/en/chat/\n  admin  {site}/admin/\nCtrl-C stops everything.")
            while os.getppid() == parent:
                supervisor.watch()
                time.sleep(0.25)
            say("Whoever started this is gone: stopping.")
    except Stopped:
        pass
    say("Stopped.")


def _start(supervisor: Supervisor, state: Path, port: int, site: str) -> None:
    say("Starting PostgreSQL and Valkey …")
    found = {
        **({} if os.environ.get("EMBEDDER") else preflight.embedder()),
        **start_servers(supervisor, state),
        "SECRET_KEY": os.environ.get("SECRET_KEY") or secret_key(state / "secret_key"),
        "SITE_URL": site,
    }
    write_environment(state / "environment", {k: v for k, v in found.items() if not os.environ.get(k)})
    env = {"STATIC_ROOT": str(state / "static"), **os.environ, **found, "PYTHONUNBUFFERED": "1"}
    logs = state / "log"
    logs.mkdir(exist_ok=True)
    say("Preparing the database …")
    supervisor.complete(_python("prepare", logs, env, "manage.py", "prepare"))
    say("Starting the worker and the web server …")
    supervisor.start(_worker(logs, env))
    supervisor.start(_web(logs, env, port))


def _python(name: str, logs: Path, env: dict[str, str], *arguments: str) -> Program:
    return Program(name, (sys.executable, *arguments), logs / f"{name}.log", env, ROOT)


def _worker(logs: Path, env: dict[str, str]) -> Program:
    return _python(
        "worker", logs, env, "-m", "celery", "-A", "config", "worker", "--pool", "threads", "--beat",
        "--concurrency", str(WORKER_THREADS), "--loglevel", "INFO", "--without-gossip", "--without-mingle",
    )  # fmt: skip


def _web(logs: Path, env: dict[str, str], port: int) -> Program:
    host = next((name for name in env.get("ALLOWED_HOSTS", "").split(",") if name.strip(" .*")), "localhost")
    web = _python("web", logs, env, *WEB_SERVER, "-b", "127.0.0.1", "-p", str(port), "config.asgi:application")
    return replace(web, grace=WEB_GRACE, start_limit=120.0, ready=lambda: answers(port, host.strip().lstrip(".")))


def answers(port: int, host: str) -> bool:
    """Whether /readyz on the loopback port says that the site can be used."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/readyz", headers={"Host": host})
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def secret_key(path: Path) -> str:
    """The key kept in `path`, made on first use; only its owner can read it."""
    if not path.exists():
        write_private(path, secrets.token_urlsafe(48))
    return path.read_text(encoding="ascii")


def write_environment(path: Path, values: dict[str, str]) -> None:
    """Write the values that the environment did not bring, in the form of a .env file."""
    write_private(path, "".join(f"{name}='{value}'\n" for name, value in values.items()))


def write_private(path: Path, text: str) -> None:
    """Put `text` in place in one step, readable by its owner alone."""
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    fresh.touch(mode=0o600)
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)
