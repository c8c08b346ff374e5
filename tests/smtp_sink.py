"""A mail server that keeps what it is given: enough of SMTP for a client to hand in a mail, or to be turned away."""

import socketserver
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from threading import Thread
from typing import cast


class _Session(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        self._say("220 sink")
        while line := self.rfile.readline():
            match line.split(maxsplit=1)[0].upper():
                case b"EHLO" | b"HELO":
                    self._say("250 sink")
                case b"MAIL" if cast("Sink", self.server).turns_away:
                    self._say("451 come back later")
                case b"DATA":
                    self._say("354 go on")
                    cast("Sink", self.server).keep(self._data())
                    self._say("250 kept")
                case b"QUIT":
                    self._say("221 bye")
                    return
                case _:
                    self._say("250 well")

    def _data(self) -> bytes:
        lines = []
        while (line := self.rfile.readline()) != b".\r\n":
            lines.append(line.removeprefix(b".") if line.startswith(b"..") else line)
        return b"".join(lines)

    def _say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())


class Sink(socketserver.ThreadingTCPServer):
    """`mails` are those that were handed in, oldest first."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Session)
        self.mails: list[EmailMessage] = []
        self.turns_away = False

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def keep(self, data: bytes) -> None:
        self.mails.append(cast("EmailMessage", message_from_bytes(data, policy=policy.default)))


@contextmanager
def smtp_sink() -> Iterator[Sink]:
    """Run the server on a free port."""
    with Sink() as sink:
        thread = Thread(target=sink.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield sink
        finally:
            sink.shutdown()
            thread.join()
