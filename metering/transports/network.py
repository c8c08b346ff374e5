"""The network below the SDKs' HTTP client: asyncio's own streams.

The client's own way there stops and starts the reading of a socket around every piece, which are two calls of the
system, and sets a timer for each: a third of what a token cost. How long is waited for a piece, whoever reads says.
"""

import asyncio
import ssl
from collections.abc import Iterable
from typing import Any

import httpcore2
import httpx2

HAPPY_EYEBALLS = 0.25  # seconds until the next address of a host is tried beside the first (RFC 8305)


def on_asyncio(client: httpx2.AsyncClient) -> httpx2.AsyncClient:
    """Let a client that is new connect by asyncio's streams, through the environment's proxies too."""
    # httpx takes no network, httpcore below it does. A transport of ours would lose the environment's proxies.
    for transport in (client._transport, *client._mounts.values()):  # noqa: SLF001  # see above
        if isinstance(transport, httpx2.AsyncHTTPTransport):
            transport._pool._network_backend = Network()  # noqa: SLF001  # see above
    return client


class Network(httpcore2.AsyncNetworkBackend):
    """Opens connections."""

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109  # httpcore's own signature, here and below
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Return a connection; raise ConnectError or ConnectTimeout of httpcore's."""
        local = None if local_address is None else (local_address, 0)
        try:
            async with asyncio.timeout(timeout):
                reader, writer = await asyncio.open_connection(
                    host, port, local_addr=local, happy_eyeballs_delay=HAPPY_EYEBALLS
                )
        except TimeoutError as error:
            raise httpcore2.ConnectTimeout(str(error)) from error
        except OSError as error:
            raise httpcore2.ConnectError(str(error)) from error
        for option in socket_options or ():
            writer.get_extra_info("socket").setsockopt(*option)
        return Stream(reader, writer)

    async def sleep(self, seconds: float) -> None:
        """Wait before the client tries again."""
        await asyncio.sleep(seconds)


class Stream(httpcore2.AsyncNetworkStream):
    """One connection. Reading and writing wait as long as `metering.transports.chat` lets them."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109
        """Return what has arrived, as soon as there is any; empty at the end. Raises httpcore's ReadError."""
        try:
            return await self._reader.read(max_bytes)
        except OSError as error:
            raise httpcore2.ReadError(str(error)) from error

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        """Send, and wait while too much is still unsent. Raises httpcore's WriteError."""
        try:
            self._writer.write(buffer)
            await self._writer.drain()
        except OSError as error:
            raise httpcore2.WriteError(str(error)) from error

    async def aclose(self) -> None:
        """Close at once: nobody waits for what is still on its way."""
        self._writer.transport.abort()
        await asyncio.sleep(0)  # the loop's next step closes the socket

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> httpcore2.AsyncNetworkStream:
        """Return the same connection, encrypted; raise ConnectError or ConnectTimeout of httpcore's."""
        try:
            async with asyncio.timeout(timeout):
                await self._writer.start_tls(ssl_context, server_hostname=server_hostname)
        except TimeoutError as error:
            await self.aclose()
            raise httpcore2.ConnectTimeout(str(error)) from error
        except OSError as error:  # ssl.SSLError is one
            await self.aclose()
            raise httpcore2.ConnectError(str(error)) from error
        return self

    def get_extra_info(self, info: str) -> Any:
        """Return `is_readable`, by which the client knows that an idle connection has ended, or what asyncio knows."""
        if info == "is_readable":
            return self._reader.at_eof() or self._writer.is_closing()
        return self._writer.get_extra_info(info)
