"""The site under a real server, with real sockets: what only the wire can show."""

import json
import socket
import time
import uuid
from collections.abc import Iterator
from http.client import HTTPConnection

import pytest
from django.utils import timezone
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from assistant import api_keys
from assistant.consumers import MAX_FRAME, TOO_BIG, TOO_MANY
from assistant.models import ApiKey, Citation, Conversation, Sentence, Turn
from launcher.run import LARGEST_FRAME
from records.models import PassagePlacement
from tests.assistant.live_site import SLOW, live_site
from tests.assistant.socket_client import DECLINED, FINISHED

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site")]

QUESTION = "How many days did the battery of the tide gauge at Holm Quay last?"


@pytest.fixture(scope="module")
def site(django_db_setup, django_db_blocker, tmp_path_factory) -> Iterator[int]:
    """The site as it ships."""
    with live_site(tmp_path_factory.mktemp("daphne") / "log") as port:
        yield port


@pytest.fixture(scope="module")
def slow_site(django_db_setup, django_db_blocker, tmp_path_factory) -> Iterator[int]:
    """The same with a provider that takes its time."""
    with live_site(tmp_path_factory.mktemp("daphne") / "log", SLOW) as port:
        yield port


def opened(port: int, origin: str | None = None) -> ClientConnection:
    return connect(f"ws://127.0.0.1:{port}/ws/chat/", origin=Origin(origin or f"http://127.0.0.1:{port}"))


def send(client: ClientConnection, **fields) -> None:
    client.send(json.dumps({"question": QUESTION, "lang": "en", "turn": str(uuid.uuid4()), **fields}))


def until(client: ClientConnection, *marks: str) -> str:
    received = ""
    while not any(mark in received for mark in marks):
        received += str(client.recv(timeout=20))
    return received


def flood(client: ClientConnection) -> None:
    """Send a thousand frames as fast as they go, and read until the server closes."""
    for _ in range(1000):
        client.send("{")
    while True:
        client.recv(timeout=20)


def push(client: ClientConnection, message: str | list[str]) -> None:
    """Send one message (in one frame, or a frame for each piece) and read until the server closes."""
    client.send(message)
    client.recv(timeout=20)


def ends_as(notice: str) -> bool:
    """Whether the one turn comes to this end within a few seconds."""
    end = time.monotonic() + 10
    while time.monotonic() < end:
        if Turn.objects.filter(state="done", notice=notice).exists():
            return True
        time.sleep(0.05)
    return False


def test_a_question_is_answered_over_a_real_socket(site):
    with opened(site) as client:
        send(client)
        html = until(client, FINISHED, DECLINED)
    assert "412 days" in html
    assert Turn.objects.get().state == "done"


@pytest.mark.parametrize("origin", ["http://other.example", "http://127.0.0.1:1", "null"])
def test_a_foreign_page_is_turned_away_at_the_handshake(site, origin):
    with pytest.raises(InvalidStatus) as refused, opened(site, origin):
        pass
    assert refused.value.response.status_code == 403


def test_a_flood_is_cut_off_and_nobody_else_notices(site):
    with opened(site) as quiet, opened(site) as loud:
        with pytest.raises(ConnectionClosed) as closed:
            flood(loud)
        assert closed.value.rcvd.code == TOO_MANY
        send(quiet)
        assert "412 days" in until(quiet, FINISHED, DECLINED)


def test_a_frame_that_is_too_big_closes_only_its_own_socket(site):
    with opened(site) as client:
        client.send("x" * (MAX_FRAME + 1))
        assert 'data-reason="invalid"' in client.recv(timeout=20)
        with pytest.raises(ConnectionClosed) as closed:
            client.recv(timeout=20)
        assert closed.value.rcvd.code == TOO_BIG
    with opened(site) as client:
        send(client)
        assert "412 days" in until(client, FINISHED, DECLINED)


def test_a_frame_of_a_megabyte_is_refused_before_it_is_read_and_the_others_go_on(site):
    with opened(site) as quiet, opened(site) as loud:
        send(quiet)
        with pytest.raises(ConnectionClosed):
            push(loud, "x" * 1_000_000)
        assert "412 days" in until(quiet, FINISHED, DECLINED)


def test_many_small_pieces_of_one_message_are_refused_as_one_large(site):
    with opened(site) as client, pytest.raises(ConnectionClosed):
        push(client, ["x" * 4000] * 1000)
    with opened(site) as client:
        send(client)
        assert "412 days" in until(client, FINISHED, DECLINED)


def test_the_largest_question_passes(site):
    with opened(site) as client:
        client.send(json.dumps({"question": "🌊" * 2000, "lang": "en", "turn": str(uuid.uuid4())}))
        assert "data-reason" in until(client, FINISHED, DECLINED)


def test_evidence_that_is_longer_than_a_clients_message_may_be_arrives_whole(site):
    """A stored answer is told again as a new one ends: with what each sentence rests on in one message."""
    talk = Conversation.objects.create(language="en")
    now = timezone.now()
    turn = Turn.objects.create(
        conversation=talk, ordinal=1, question=QUESTION, language="en", state="done", deadline=now
    )
    place = PassagePlacement.objects.get()
    for ordinal in range(1, 121):
        sentence = Sentence.objects.create(turn=turn, ordinal=ordinal, text="It lasted 412 days.", language="en")
        where = {"passage": place.passage, "start": place.start, "end": place.end}
        Citation.objects.create(sentence=sentence, ordinal=1, version=place.version, **where)
    with opened(site) as client:
        send(client, turn=str(turn.pk))
        last = ""
        while FINISHED not in last and DECLINED not in last:
            last = str(client.recv(timeout=20))
    assert last.count("<blockquote") == 120
    assert len(last) > LARGEST_FRAME


def test_sentences_arrive_before_the_answer_ends_and_stop_is_heard(slow_site):
    with opened(slow_site) as client:
        send(client)
        until(client, "412 days")
        send(client, stop="1")
        html = until(client, FINISHED)
    assert 'data-reason="stopped"' in html
    answer, below, _evidence = html.partition('class="evidence"')  # which quotes the passage whole
    assert below
    assert "repaired by the harbour crew" not in answer
    assert ends_as("stopped")


def test_a_reader_who_vanishes_closes_the_turn(slow_site):
    with opened(slow_site) as client:
        send(client)
        until(client, "412 days")
        client.socket.shutdown(socket.SHUT_RDWR)  # no closing handshake: the cable was pulled
        assert ends_as("stopped")


def test_a_client_of_the_api_that_vanishes_closes_the_turn(slow_site):
    connection = HTTPConnection("127.0.0.1", slow_site, timeout=20)
    body = json.dumps({"question": QUESTION, "lang": "en"})
    headers = {"Content-Type": "application/json", "Origin": f"http://127.0.0.1:{slow_site}"}
    connection.request("POST", "/api/ask", body, headers)
    response = connection.getresponse()
    assert response.status == 200
    assert response.readline() == b"event: sentence\n"
    assert b"412 days" in response.readline()
    response.close()
    connection.close()
    assert ends_as("stopped")


def test_a_program_with_a_key_asks_over_the_wire_and_is_turned_away_without(site):
    row = ApiKey(name="a program")
    key = api_keys.mint(row)
    row.save()
    body = json.dumps({"question": QUESTION, "lang": "en"})
    connection = HTTPConnection("127.0.0.1", site, timeout=20)
    answers = {}
    for authorization in (f"Bearer {key}", f"Bearer {key}x", ""):
        connection.request(
            "POST", "/api/ask", body, {"Content-Type": "application/json", "Authorization": authorization}
        )
        response = connection.getresponse()
        answers[response.status] = response.read().decode()
    connection.close()
    assert list(answers) == [200, 401, 403]
    assert "412 days" in answers[200]
    assert json.loads(answers[401]) == {"error": "The API key is wrong or was revoked."}


def test_a_reader_who_does_not_read_holds_nobody_up(slow_site, site):
    with socket.create_connection(("127.0.0.1", slow_site)) as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        deaf.sendall(
            f"GET /ws/chat/ HTTP/1.1\r\nHost: 127.0.0.1:{slow_site}\r\nOrigin: http://127.0.0.1:{slow_site}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        )
        with opened(slow_site) as client:
            send(client)
            assert "six minutes" in until(client, "six minutes", DECLINED)


def test_a_browser_page_and_its_files_are_served(site):
    connection = HTTPConnection("127.0.0.1", site, timeout=20)
    for path, kind in [
        ("/en/chat/", "text/html"),
        ("/static/site.css", "text/css"),
        ("/static/vendor/htmx/htmx.min.js", "text/javascript"),
        ("/readyz", "application/json"),
    ]:
        connection.request("GET", path)
        response = connection.getresponse()
        assert (response.status, response.headers.get_content_type()) == (200, kind)
        response.read()
    connection.close()
