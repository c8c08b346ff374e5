"""What the web server grants a connection before Django or Channels see anything of it.

A request is whole within a minute, its body is small, the next waits for the answer, who does not read is not read,
and one address has so many connections. twisted alone would grant another minute at every byte, take a body of any
size to the disk, and write answers and pongs into a buffer without an end.
"""

from collections import defaultdict
from typing import Any

from daphne.ws_protocol import WebSocketProtocol
from django.conf import settings
from twisted.internet.tcp import Server as Transport
from twisted.web.http import HTTPChannel

from assistant import addresses

REQUEST_SECONDS = 60  # from the connection, or from the answer before, to a request's last byte
LARGEST_BODY = 3 * 1024 * 1024  # bytes: more than Django takes (2.5 MB), so that what is a little too much gets a text
AN_ADDRESS = 100  # connections at once; a browser holds six, and one for each tab of the chat
TOO_LARGE = b"HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class Peers:
    """The open connections by the address they come from; behind a proxy, where that says nothing, none are counted."""

    def __init__(self) -> None:
        self._open: defaultdict[str, list[Transport]] = defaultdict(list)

    def admit(self, transport: Transport) -> bool:
        """Whether the address has room for this connection, which then takes it until it is lost."""
        if settings.TRAVA.TRUSTED_PROXIES:
            return True
        held = self._open[addresses.bucket(getattr(transport.getPeer(), "host", None), ())]
        held[:] = [other for other in held if other.connected]
        if len(held) >= AN_ADDRESS:
            return False
        held.append(transport)
        return True

    def forget_lost(self) -> None:
        """Let go of the addresses that have left."""
        for address, held in list(self._open.items()):
            if not any(transport.connected for transport in held):
                del self._open[address]


class Socket(WebSocketProtocol):
    """One websocket. What a client sends has a limit; what we send, such as a long answer's evidence, has none."""

    maxMessagePayloadSize: int  # noqa: N815  # autobahn's name

    def sendMessage(self, *message: Any, **options: Any) -> None:  # noqa: N802  # autobahn's name
        """Send without the limit, which autobahn would apply to both directions."""
        received, self.maxMessagePayloadSize = self.maxMessagePayloadSize, 0
        try:
            super().sendMessage(*message, **options)
        finally:
            self.maxMessagePayloadSize = received


class Channel(HTTPChannel):
    """One connection: HTTP requests, until one of them becomes a websocket."""

    transport: Transport  # type: ignore[assignment]  # TCP, or a Unix socket, which has the same methods
    peers = Peers()
    _body = 0  # bytes of the request that is being received

    def connectionMade(self) -> None:  # noqa: N802  # twisted's name
        """Take the connection, or end it at once where its address has too many."""
        if not self.peers.admit(self.transport):
            self.transport.abortConnection()
            return
        self.timeOut = REQUEST_SECONDS
        super().connectionMade()

    def resetTimeout(self) -> None:  # noqa: N802  # twisted's name
        """Do nothing: the time is the request's, however its bytes trickle in."""

    def rawDataReceived(self, data: bytes) -> None:  # noqa: N802  # twisted's name
        """Take a piece of a body, up to what a body may be; after a request, nothing before its answer."""
        if self._handlingRequest:
            self.persistent = 0  # 16 KiB hold 200 requests, and each may ask for a large page
        else:
            self._body += len(data)
            if self._body > LARGEST_BODY:
                self.transport.write(TOO_LARGE)
                self.loseConnection()
                return
        super().rawDataReceived(data)

    def allContentReceived(self) -> None:  # noqa: N802  # twisted's name
        """Hand the request over; the next begins at nothing."""
        self._body = 0
        super().allContentReceived()

    def pauseProducing(self) -> None:  # noqa: N802  # twisted's name
        """Read no more while the client does not: twisted asks for it when 64 KiB wait to be sent."""
        super().pauseProducing()
        self.transport.pauseProducing()

    def resumeProducing(self) -> None:  # noqa: N802  # twisted's name
        """Read again: what waited has been taken."""
        super().resumeProducing()
        self.transport.resumeProducing()
