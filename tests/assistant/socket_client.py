"""The chat page's side of the websocket, in process: fields in, fragments out."""

import json
import uuid
from types import TracebackType
from typing import Any

from channels.testing import WebsocketCommunicator

from config.asgi import application

FINISHED = '<div id="control" hx-swap-oob="true"></div>'
DECLINED = 'id="form-notice" class="form-notice" role="status" hx-swap-oob="true"><p'


class Socket:
    """One socket; connects and leaves as a context manager."""

    def __init__(
        self,
        origin: str | None = "http://localhost",
        session: str = "",
        address: str = "192.0.2.7",
        path: str = "/ws/chat/",
    ) -> None:
        headers = [(b"host", b"localhost")]
        if origin:
            headers.append((b"origin", origin.encode()))
        if session:
            headers.append((b"cookie", f"sessionid={session}".encode()))
        self._communicator = WebsocketCommunicator(application, path, headers=headers)
        self._communicator.scope["client"] = (address, 4711)

    async def __aenter__(self) -> "Socket":
        connected, _code = await self._communicator.connect(timeout=5)
        assert connected
        return self

    async def __aexit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self._communicator.disconnect(timeout=5)

    async def connects(self) -> bool:
        connected, _code = await self._communicator.connect(timeout=5)
        await self._communicator.disconnect(timeout=5)
        return bool(connected)

    async def send(self, **fields: Any) -> None:
        await self._communicator.send_to(json.dumps({"HEADERS": {"HX-Request": "true"}, **fields}))

    async def ask(self, question: str, **fields: Any) -> str:
        """Ask in English and return all fragments of the turn."""
        await self.send(**{"question": question, "lang": "en", "turn": str(uuid.uuid4()), **fields})
        return await self.until_end()

    async def until_end(self) -> str:
        return await self.until(FINISHED, DECLINED)

    async def until(self, *marks: str, seconds: float = 10) -> str:
        """Return all fragments up to the first that holds one of the marks; each may take so long."""
        received = ""
        while not any(mark in received for mark in marks):
            received += await self._communicator.receive_from(timeout=seconds)
        return received

    async def send_raw(self, text: str | None = None, data: bytes | None = None) -> None:
        await self._communicator.send_input({"type": "websocket.receive", "text": text, "bytes": data})

    async def closing_code(self) -> int:
        while True:
            message = await self._communicator.receive_output(timeout=5)
            if message["type"] == "websocket.close":
                return int(message["code"])
