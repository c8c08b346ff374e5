import stat
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from dotenv import dotenv_values

from launcher import run
from launcher.__main__ import main
from launcher.valkey import free_port


def test_a_secret_key_is_made_once_and_private(tmp_path):
    key = run.secret_key(tmp_path / "secret_key")
    assert len(key) >= 50
    assert run.secret_key(tmp_path / "secret_key") == key
    assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600
    assert run.secret_key(tmp_path / "another") != key


def test_a_second_terminal_reads_what_was_written(tmp_path):
    values = {"DATABASE_URL": "postgresql://trava:a-b_c@/trava?host=%2Ftmp%2Fa%20b", "SECRET_KEY": "x" * 60}
    path = tmp_path / "environment"
    path.touch(mode=0o644)
    run.write_environment(path, values)
    assert dotenv_values(path) == values
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@contextmanager
def site(status):
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            ready = self.path == "/readyz" and self.headers["Host"] == "example.org"
            self.send_response(status if ready else 404)
            self.end_headers()

        def log_message(self, *args):
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(("status", "ready"), [(200, True), (503, False), (400, False)])
def test_a_site_is_ready_when_it_says_so(status, ready):
    with site(status) as port:
        assert run.answers(port, "example.org") is ready


def test_a_silent_port_is_not_ready():
    assert run.answers(free_port(), "localhost") is False


@pytest.mark.parametrize("command", [["run"], ["services"]])
def test_a_state_directory_that_cannot_be_written_is_one_line(tmp_path, capsys, command):
    (tmp_path / "file").touch()
    assert main([*command, "--state", str(tmp_path / "file" / "state")]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1
