"""Readers of a site in one event loop: each opens a socket, asks, and notes when what arrives.

All times are of `time.monotonic`, which is one clock for all processes of a machine. Nothing is rendered.
"""

import asyncio
import json
import time
import uuid
from collections.abc import Awaitable, Callable
from typing import TypeVar

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosedOK

QUESTIONS = (
    "How is the Skerrin Bridge monitored?",
    "How does the telemetry at Dunmarrow work?",
    "How is the greenhouse at Hollin Vray controlled?",
    "How often should a bridge be sampled?",
    "What does night flow tell about leaks?",
)
_FINISHED = '<div id="control" hx-swap-oob="true"></div>'
_PATIENCE = 90.0  # seconds without a frame

T = TypeVar("T")
Reader = Callable[[int], Awaitable[list[T]]]


async def all_of(reader: Reader[T], count: int, over: float) -> list[list[T]]:
    """Start so many readers, evenly spread over so many seconds; return what each noted, once all are done."""

    async def later(number: int) -> list[T]:
        await asyncio.sleep(over * number / count)
        return await reader(number)

    return list(await asyncio.gather(*(later(number) for number in range(count))))


def of_product(port: int) -> Reader[float]:
    """Return a reader of the chat: it notes when each sentence arrives."""

    async def read(number: int) -> list[float]:
        turn, times, last = str(uuid.uuid4()), [], ""
        question = f"{QUESTIONS[number % len(QUESTIONS)]} #{number}"
        async with _socket(port, "/ws/chat/", number) as socket:
            await socket.send(json.dumps({"question": question, "lang": "en", "turn": turn}))
            while _FINISHED not in last:
                last = await _frame(socket)
                if f'id="answer-{turn}" hx-swap-oob' in last:
                    times.append(time.monotonic())
                if 'id="form-notice"' in last and 'id="control"' not in last:
                    raise AssertionError(f"reader {number} was declined: {last}")
        if not times:
            raise AssertionError(f"reader {number} got no answer: {last}")
        return times

    return read


def of_relay(port: int, prompt: str) -> Reader[tuple[int, float]]:
    """Return a reader of the relay: it notes how many characters have arrived, and when.

    `prompt` ends with the question of reader 0, and is sent with each reader's own number.
    """

    async def read(number: int) -> list[tuple[int, float]]:
        arrived: list[tuple[int, float]] = []
        length = 0
        async with _socket(port, "/", number) as socket:
            await socket.send(prompt.replace("#0\n", f"#{number}\n"))
            try:
                while True:
                    length += len(await _frame(socket))
                    arrived.append((length, time.monotonic()))
            except ConnectionClosedOK:
                return arrived

    return read


def _socket(port: int, path: str, number: int) -> connect:
    return connect(
        f"ws://127.0.0.1:{port}{path}",
        origin=f"http://127.0.0.1:{port}",  # type: ignore[arg-type]  # a NewType of str
        additional_headers={"X-Forwarded-For": f"10.{number >> 8}.{number & 255}.1"},
        compression=None,
        proxy=None,
        open_timeout=_PATIENCE,
        max_queue=None,
    )


async def _frame(socket: ClientConnection) -> str:
    async with asyncio.timeout(_PATIENCE):
        return str(await socket.recv())
