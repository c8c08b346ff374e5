"""A model server on loopback that says what a test has written, and tells what was asked and when the client left.

It speaks `/v1/chat/completions`, `/v1/messages`, `/v1/embeddings` and `/v1/models`, in a thread of its own:

    with ModelServer(say("Snow", 0.1, " melts.")) as server: ...

Each call takes the next answer; the last one is repeated.
"""

import asyncio
import hashlib
import json
import math
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from tests.model_scripts import CUT, END, HANG, Answer, Raw, Step, anthropic_stream, openai_stream, openai_whole, say

DIMENSIONS = 32  # of its embeddings
DEFAULT = say("Snow melts [1].")
_PAUSE = 0.01  # seconds


@dataclass(slots=True)
class Call:
    """One request, and how it went. Times are of `time.monotonic`."""

    path: str
    headers: dict[str, str]
    body: dict
    sent: int = 0  # bytes of the answer's body
    closed_at: float | None = None  # when the client closed the connection before the end
    done: threading.Event = field(default_factory=threading.Event)  # ended, one way or the other

    def wait_closed(self, seconds: float = 5.0) -> float:
        """Return when the client left; fail where it did not."""
        assert self.done.wait(seconds), "the call never ended"
        assert self.closed_at is not None, "the client did not leave before the end"
        return self.closed_at


class ModelServer:
    """Serves between `with` and its end, on a free port."""

    def __init__(self, *answers: Answer, key: str = "") -> None:
        self.calls: list[Call] = []
        self.connections = 0
        self._answers = list(answers) or [DEFAULT]
        self._key = key  # wanted in every request, where it is set
        self._ready = threading.Event()
        self._stopped: asyncio.Event
        self._loop: asyncio.AbstractEventLoop
        self._port = 0
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="model-server")

    @property
    def root(self) -> str:
        """The address without a path, as Anthropic's client takes it."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def url(self) -> str:
        """The address with /v1, as OpenAI's client takes it."""
        return f"{self.root}/v1"

    def will_say(self, *answers: Answer) -> None:
        """Answer the next calls so."""
        self._answers = list(answers)

    def __enter__(self) -> "ModelServer":
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stopped.set)
        self._thread.join(10)

    async def _serve(self) -> None:
        self._loop, self._stopped = asyncio.get_running_loop(), asyncio.Event()
        connections: dict[asyncio.Task, asyncio.StreamWriter] = {}

        def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self.connections += 1
            task = asyncio.create_task(self._serve_one(reader, writer))
            connections[task] = writer
            task.add_done_callback(connections.pop)

        server = await asyncio.start_server(connected, "127.0.0.1", 0)
        self._port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stopped.wait()
        server.close()
        # Each ends as its connection does. Cancelled before it began, a task would close nothing.
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            for writer in connections.values():
                writer.transport.abort()
            await asyncio.wait(others, timeout=0.05)

    async def _serve_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                while await self._one_call(reader, writer):
                    pass
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def _one_call(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Take one request and answer it; return whether the connection may carry another."""
        call = await _request(reader)
        if call is None:
            return False
        self.calls.append(call)
        leaving = asyncio.ensure_future(_left(reader, call))
        answering = asyncio.ensure_future(self._answer(call, writer))
        try:
            await asyncio.wait({leaving, answering}, return_when=asyncio.FIRST_COMPLETED)
            return not leaving.done() and await answering
        except ConnectionError:  # what was written met a closed connection before its end was read
            call.closed_at = call.closed_at or time.monotonic()
            return False
        finally:
            for task in (leaving, answering):
                task.cancel()
            await asyncio.gather(leaving, answering, return_exceptions=True)
            call.done.set()

    async def _answer(self, call: Call, writer: asyncio.StreamWriter) -> bool:
        given = {call.headers.get("x-api-key"), call.headers.get("authorization", "").removeprefix("Bearer ")}
        if self._key and self._key not in given:
            error = {"type": "error", "error": {"type": "authentication_error", "message": "wrong key"}}
            return await _whole(call, writer, 401, error)
        if call.path == "/v1/models":
            return await _whole(call, writer, 200, {"object": "list", "data": [{"id": "scripted", "object": "model"}]})
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        await asyncio.sleep(answer.wait)
        if answer.hang:
            await asyncio.Event().wait()
        if answer.status != 200:
            return await _whole(call, writer, answer.status, answer.error, answer.headers)
        if call.path == "/v1/embeddings":
            return await _whole(call, writer, 200, _embeddings(call.body, answer))
        if not call.body.get("stream"):
            return await _whole(call, writer, 200, openai_whole(answer))
        protocol = anthropic_stream if call.path == "/v1/messages" else openai_stream
        return await _stream(call, writer, protocol(answer))


async def _request(reader: asyncio.StreamReader) -> Call | None:
    head = await reader.readuntil(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").strip().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    path = first.split(" ")[1].partition("?")[0]
    return Call(path, headers, json.loads(body) if body else {})


async def _left(reader: asyncio.StreamReader, call: Call) -> None:
    with suppress(ConnectionError):
        await reader.read(1)
    call.closed_at = time.monotonic()


async def _whole(
    call: Call, writer: asyncio.StreamWriter, status: int, body: dict, headers: dict | None = None
) -> bool:
    data = json.dumps(body).encode()
    more = "".join(f"{name}: {value}\r\n" for name, value in (headers or {}).items())
    head = f"HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {len(data)}\r\n{more}\r\n"
    writer.write(head.encode() + data)
    await writer.drain()
    call.sent += len(data)
    return True


async def _stream(call: Call, writer: asyncio.StreamWriter, steps: Iterable[bytes | Step]) -> bool:
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
    for step in steps:
        if isinstance(step, int | float):
            await asyncio.sleep(step)
        elif isinstance(step, threading.Event):
            while not step.is_set():
                await asyncio.sleep(_PAUSE)
        elif step == HANG:
            await asyncio.Event().wait()
        elif step == CUT:
            return False
        elif step == END:
            break
        else:
            data = step.line() if isinstance(step, Raw) else step
            writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            await writer.drain()
            call.sent += len(data)
            await asyncio.sleep(0)
    writer.write(b"0\r\n\r\n")
    await writer.drain()
    return True


def _embeddings(body: dict, answer: Answer) -> dict:
    texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
    usage = {"prompt_tokens": answer.usage.input, "total_tokens": answer.usage.input} if answer.usage else None
    data = [
        {"object": "embedding", "index": place, "embedding": list(_vector(text))} for place, text in enumerate(texts)
    ]
    return {"object": "list", "data": data[::-1], "model": body["model"]} | ({"usage": usage} if usage else {})


def _vector(text: str) -> Iterator[float]:
    """Yield a bag of words, so that texts that share words are near; the first place is never 0."""
    counts = [0.1, *[0.0] * (DIMENSIONS - 1)]
    for word in text.lower().replace(".", " ").replace(",", " ").replace("?", " ").split():
        counts[1 + hashlib.sha256(word.encode()).digest()[0] % (DIMENSIONS - 1)] += 1
    length = math.hypot(*counts)
    yield from (count / length for count in counts)
