"""A web server that is told to end: what streams may finish, the rest is stopped, nothing new begins."""

import json
import signal
import time
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPResponse

import pytest
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from assistant import places
from assistant.models import Turn
from launcher.run import WEB_GRACE
from metering.models import Reservation
from tests.assistant.live_site import live_process
from tests.assistant.socket_client import DECLINED, FINISHED

ENDING = "tests.assistant.ending_site:application"
QUESTION = "How many days did the battery of the tide gauge at Holm Quay last?"


def opened(port: int) -> ClientConnection:
    return connect(f"ws://127.0.0.1:{port}/ws/chat/", origin=Origin(f"http://127.0.0.1:{port}"))


def ask(client: ClientConnection) -> None:
    client.send(json.dumps({"question": QUESTION, "lang": "en", "turn": str(uuid.uuid4())}))


def until(client: ClientConnection, *marks: str) -> str:
    received = ""
    while not any(mark in received for mark in marks):
        received += str(client.recv(timeout=30))
    return received


@contextmanager
def asked_over_http(port: int) -> Iterator[HTTPResponse]:
    with closing(HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        headers = {"Content-Type": "application/json", "Origin": f"http://127.0.0.1:{port}"}
        connection.request("POST", "/api/ask", json.dumps({"question": QUESTION, "lang": "en"}), headers)
        with closing(connection.getresponse()) as response:
            yield response


def test_the_launcher_kills_later_than_the_server_has_finished():
    assert places.GRACE + places.STOPPING + places.LAST_WORDS < WEB_GRACE


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("small_site")
def test_running_answers_finish_or_are_stopped_like_a_reader_leaving(tmp_path):
    with live_process(tmp_path / "log", ENDING) as (server, port), opened(port) as soon, opened(port) as late:
        ask(soon)
        until(soon, "412 days")
        ask(late)
        until(late, "412 days")
        with asked_over_http(port) as program:
            assert program.readline() == b"event: sentence\n"
            server.send_signal(signal.SIGTERM)
            assert (refusal_when_ending(port), server.poll()) == ("busy", None)
            finished = until(soon, FINISHED, DECLINED)
            assert "harbour crew" in finished
            assert "data-reason" not in finished
            assert 'data-reason="stopped"' in until(late, FINISHED, DECLINED)
            told = program.read().decode()
        assert told.index('"reason": "stopped"') < told.index("event: done")
        assert server.wait(timeout=30) == 0
    ends = list(Turn.objects.order_by("notice").values_list("state", "notice"))
    assert (ends[0], set(ends[1:])) == (("done", ""), {("done", "stopped")})
    assert not Reservation.objects.filter(state="held").exists()


def refusal_when_ending(port: int) -> object:
    """Ask until the server says no, for a signal takes a moment to be heard; why."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        with asked_over_http(port) as response:
            if response.status == 429:
                return json.loads(response.read())["reason"]
    raise AssertionError("the server went on answering")
