"""Clients that hold a connection and give nothing: none stays for ever, and no other reader notices."""

import errno
import json
import selectors
import signal
import socket
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from assistant import consumers
from assistant.models import Turn
from config import connections
from tests.assistant.live_site import live_process, live_site
from tests.assistant.socket_client import DECLINED, FINISHED

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site")]

HURRIED = "tests.assistant.hurried_site:application"
PINGS = ("--ping-interval", "2", "--ping-timeout", "2")
QUESTION = "How many days did the battery of the tide gauge at Holm Quay last?"
PATIENCE = 60.0  # seconds, on a shared machine, for what the site does after two
TEXT, PING = 1, 9  # opcodes
ANOTHER_ADDRESS = "127.0.0.2"
# As tests/assistant/hurried_site.py says; importing that would hurry this process.
SOCKETS, CONNECTIONS = 5, 20


@pytest.fixture(scope="module")
def site(django_db_setup, django_db_blocker, tmp_path_factory) -> Iterator[int]:
    with live_site(tmp_path_factory.mktemp("daphne") / "log", HURRIED, *PINGS) as port:
        yield port


def opened(port: int, address: str = "127.0.0.1", through: int | None = None) -> ClientConnection:
    """Open a socket from an address of the loopback network, directly or through another port."""
    line = socket.create_connection(("127.0.0.1", through or port), source_address=(address, 0))
    origin = Origin(f"http://127.0.0.1:{port}")
    return connect(f"ws://127.0.0.1:{port}/ws/chat/", sock=line, origin=origin, ping_interval=None)


def ask(client: ClientConnection) -> None:
    client.send(json.dumps({"question": QUESTION, "lang": "en", "turn": str(uuid.uuid4())}))


def until(client: ClientConnection, *marks: str) -> str:
    received = ""
    while not any(mark in received for mark in marks):
        received += str(client.recv(timeout=PATIENCE))
    return received


def is_answered(client: ClientConnection) -> bool:
    """Ask and read to the end: what the site still writes would meet the emptying of the database after the test."""
    ask(client)
    return "412 days" in until(client, FINISHED, DECLINED)


@contextmanager
def a_reader_meanwhile(port: int) -> Iterator[None]:
    """Somebody else asks while this goes on, and has the whole answer at its end."""
    with opened(port, ANOTHER_ADDRESS) as client:
        ask(client)
        yield
        assert "six minutes" in until(client, FINISHED, DECLINED)


@contextmanager
def raw(port: int, *lines: str, address: str = "127.0.0.1") -> Iterator[socket.socket]:
    """A bare connection that takes little at a time and has sent so many lines."""
    with closing(socket.socket()) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(PATIENCE)
        client.bind((address, 0))
        client.connect(("127.0.0.1", port))
        client.sendall("".join(f"{line}\r\n" for line in lines).encode())
        yield client


@contextmanager
def deaf_socket(port: int) -> Iterator[socket.socket]:
    """A websocket of which nothing is read after the handshake."""
    handshake = (
        "GET /ws/chat/ HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        f"Origin: http://127.0.0.1:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "",
    )
    with raw(port, *handshake) as client:
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            answer += client.recv(1)
        assert answer.startswith(b"HTTP/1.1 101 ")
        yield client


def masked(opcode: int, payload: bytes) -> bytes:
    """One frame of at most 125 bytes as a client sends it, under a mask of zeros."""
    return bytes([0x80 | opcode, 0x80 | len(payload)]) + bytes(4) + payload


def sent_until_refused(client: socket.socket, data: bytes, most: int) -> int:
    """Send `data` again and again, reading nothing, until no more of it is taken for a second; return the bytes."""
    client.settimeout(1.0)
    sent = 0
    with suppress(TimeoutError, ConnectionResetError):
        while sent < most:
            sent += client.send(data[sent % len(data) :])
    return sent


def hung_up(client: socket.socket, word: bytes) -> bool:
    """Whether the server has let go of who says a word now and then, within the tests' patience; reads nothing."""
    end = time.monotonic() + PATIENCE
    client.settimeout(1.0)
    while time.monotonic() < end:
        try:
            client.send(word)
        except TimeoutError:
            continue
        except OSError as error:
            return error.errno in (errno.ECONNRESET, errno.EPIPE)
        time.sleep(0.2)
    return False


def read_to_the_end(client: socket.socket) -> bytes:
    received = b""
    with suppress(ConnectionResetError):
        while piece := client.recv(65536):
            received += piece
    return received


class TestWhoDoesNotRead:
    def test_is_not_read_any_more_either_and_is_dropped(self, site):
        with deaf_socket(site) as deaf, a_reader_meanwhile(site):
            # Each ping is answered. The kernel's own buffers took 5 MB here; ours would take whatever comes.
            most = 20_000_000
            assert sent_until_refused(deaf, masked(PING, b"x" * 125) * 1000, most) < most
            assert hung_up(deaf, b"x")

    def test_loses_the_turn_with_the_socket(self, site):
        with deaf_socket(site) as deaf:
            deaf.sendall(masked(TEXT, json.dumps({"question": "What is a tide gauge?", "lang": "en"}).encode()))
            assert hung_up(deaf, masked(PING, b""))
        assert turn_ends()

    def test_is_answered_one_request_and_not_those_sent_after_it(self, site):
        request = f"GET /static/admin/js/vendor/jquery/jquery.js HTTP/1.1\r\nHost: 127.0.0.1:{site}\r\n\r\n"
        with raw(site) as client:
            client.sendall(request.encode() * 100)
            assert read_to_the_end(client).count(b"HTTP/1.1 200 OK") == 1


class TestWhoHasGone:
    def test_without_a_word_is_noticed_by_the_silence(self, site):
        with relay(site) as line, opened(site, through=line.port) as client:
            ask(client)
            until(client, "412 days")
            line.freeze()
            with a_reader_meanwhile(site):
                assert line.dropped_by_the_server()
        assert turn_ends()

    def test_and_says_nothing_for_long_is_closed_and_may_come_back(self, site):
        with opened(site) as client:
            with pytest.raises(ConnectionClosed) as closed:
                client.recv(timeout=PATIENCE)
            assert closed.value.rcvd.code == consumers.IDLE

    def test_but_waits_for_an_answer_is_not_idle(self, site):
        with opened(site) as client:
            ask(client)
            assert "six minutes" in until(client, FINISHED, DECLINED)


class TestWhoNeverFinishes:
    def test_the_head_of_a_request_is_cut_off(self, site):
        with raw(site, "GET /en/chat/ HTTP/1.1") as slow, a_reader_meanwhile(site):
            assert trickled(slow, "X-Slow: 1\r\n")

    def test_the_body_of_a_request_is_cut_off(self, site):
        head = ("POST /api/ask HTTP/1.1", f"Host: 127.0.0.1:{site}", "Content-Length: 100000", "")
        with raw(site, *head) as slow, a_reader_meanwhile(site):
            assert trickled(slow, "x")

    def test_a_word_of_a_request_is_cut_off(self, site):
        with raw(site) as silent:
            assert silent.recv(1) == b""

    def test_does_not_keep_the_server_from_its_end(self, tmp_path):
        with live_process(tmp_path / "log") as (server, port):
            with raw(port, "GET /en/chat/ HTTP/1.1"), raw(port), opened(port):
                server.send_signal(signal.SIGTERM)
                assert server.wait(timeout=PATIENCE) == 0
            assert "Traceback" not in (tmp_path / "log").read_text()


def trickled(client: socket.socket, piece: str) -> bool:
    """Send one piece after another, each soon after the one before, until the server hangs up; whether it does."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            client.sendall(piece.encode())
        except (ConnectionResetError, BrokenPipeError):
            return True
        time.sleep(0.2)
    return False


class TestWhoSendsTooMuch:
    @pytest.mark.parametrize(
        ("length", "piece"),
        [
            ("Content-Length: 1000000000", b"x" * 65536),
            ("Transfer-Encoding: chunked", b"10000\r\n" + b"x" * 65536 + b"\r\n"),
        ],
        ids=["announced", "in chunks without an end"],
    )
    def test_is_told_so_before_it_is_kept(self, site, length, piece):
        with raw(site, "POST /api/ask HTTP/1.1", f"Host: 127.0.0.1:{site}", length, "") as client:
            sent = 0
            with suppress(ConnectionResetError, BrokenPipeError):
                while sent < 100 * 1024 * 1024:
                    client.sendall(piece)
                    sent += len(piece)
            assert sent < 100 * 1024 * 1024
        with opened(site) as reader:
            assert is_answered(reader)

    def test_a_little_too_much_reads_why(self, site):
        body = b"x" * (connections.LARGEST_BODY + 1)
        head = ("POST /api/ask HTTP/1.1", f"Host: 127.0.0.1:{site}", f"Content-Length: {len(body)}", "")
        with raw(site, *head) as client:
            client.sendall(body)
            assert read_to_the_end(client).startswith(b"HTTP/1.1 413 ")


class TestOneAddress:
    def test_has_so_many_sockets_and_gets_them_back(self, site):
        with ExitStack() as held:
            crowd = []
            with suppress(InvalidStatus):
                while len(crowd) <= SOCKETS:
                    crowd.append(held.enter_context(opened(site, "127.0.0.3")))
            assert len(crowd) == SOCKETS
            with opened(site, ANOTHER_ADDRESS) as other:
                assert is_answered(other)
            crowd[0].close()
            assert room_again(site, "127.0.0.3")

    def test_has_so_many_connections_and_gets_them_back(self, site):
        with ExitStack() as held:
            *_, newest = [held.enter_context(raw(site, address="127.0.0.4")) for _ in range(CONNECTIONS)]
            with suppress(ConnectionResetError):  # it may be let go before it knows that it is connected
                assert read_to_the_end(held.enter_context(raw(site, address="127.0.0.4"))) == b""
            assert is_open(newest)
            with opened(site, ANOTHER_ADDRESS) as other:
                assert is_answered(other)
        assert room_again(site, "127.0.0.4")


def is_open(client: socket.socket) -> bool:
    """Whether nothing came, not even an end."""
    client.setblocking(False)
    try:
        client.recv(1)
    except BlockingIOError:
        return True
    except ConnectionResetError:
        pass
    return False


def room_again(port: int, address: str) -> bool:
    """Whether a socket opens again within the tests' patience."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with suppress(InvalidHandshake, OSError), opened(port, address):
            return True
        time.sleep(0.1)
    return False


def turn_ends() -> bool:
    """Whether the one turn comes to an end within the tests' patience."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if Turn.objects.filter(state="done").exists():
            return True
        time.sleep(0.1)
    return False


class Relay:
    """A line to the site that can go dead: then nothing passes any more, and nobody is told."""

    def __init__(self, listening: socket.socket, target: int) -> None:
        self.port = int(listening.getsockname()[1])
        self._listening = listening
        self._target = target
        self._frozen = threading.Event()
        self._dropped = threading.Event()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def freeze(self) -> None:
        self._frozen.set()

    def dropped_by_the_server(self) -> bool:
        return self._dropped.wait(PATIENCE)

    def _run(self) -> None:
        client, _address = self._listening.accept()
        with client, socket.create_connection(("127.0.0.1", self._target)) as server, selectors.DefaultSelector() as s:
            s.register(client, selectors.EVENT_READ, server)
            s.register(server, selectors.EVENT_READ, client)
            while not self._over.is_set():
                for key, _events in s.select(0.05):
                    if self._frozen.is_set() and key.fileobj is client:
                        continue
                    self._pass_on(key.fileobj, key.data, server)
                    if self._dropped.is_set():
                        return

    def _pass_on(self, origin: Any, target: socket.socket, server: socket.socket) -> None:
        try:
            data = origin.recv(65536)
        except ConnectionResetError:
            data = b""
        if not data and origin is server:
            self._dropped.set()
        elif not self._frozen.is_set():
            target.sendall(data)


@contextmanager
def relay(target: int) -> Iterator[Relay]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        line = Relay(listening, target)
        line._thread.start()
        yield line
        line._over.set()
        line._thread.join()
