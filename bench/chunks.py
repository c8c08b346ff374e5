"""What a chunk of a model's stream costs on one core from bytes to events, beside reading its JSON alone.

Network and event loop are not in it: `Reading` is fed lines from a list, one chunk at a time.
"""

import json
import sys
import time
from collections.abc import Callable

from metering.transports.anthropic import MessageReader
from metering.transports.dialect import Reader
from metering.transports.openai import ChunkReader
from metering.transports.reading import Reading
from metering.transports.requests import ChatRequest

CHUNKS = 20_000
ROUNDS = 5
REQUEST = ChatRequest("", (), max_output_tokens=CHUNKS)


def measure() -> None:
    """Prints a line for each protocol: the best of some rounds, in microseconds of CPU a chunk."""
    sys.stdout.write(f"chunks        {CHUNKS} of a word each, best of {ROUNDS} rounds, µs of CPU a chunk\n")
    sys.stdout.write(_line("openai", ChunkReader, _openai()))
    sys.stdout.write(_line("anthropic", MessageReader, _anthropic()))


def _line(name: str, reader: Callable[[], Reader], bodies: list[dict[str, object]]) -> str:
    lines = [f"data: {json.dumps(body)}\n\n".encode() for body in bodies]
    texts = [line[6:-2] for line in lines]
    read = min(_seconds(lambda: _read(reader, lines)) for _ in range(ROUNDS))
    alone = min(_seconds(lambda: _parse(texts)) for _ in range(ROUNDS))
    return f"{name:13} read {_micro(read)}, json.loads alone {_micro(alone)}\n"


def _read(reader: Callable[[], Reader], lines: list[bytes]) -> None:
    reading = Reading(reader(), REQUEST)
    for line in lines:
        reading.feed(line)


def _parse(texts: list[bytes]) -> None:
    for text in texts:
        json.loads(text)


def _openai() -> list[dict[str, object]]:
    """Chunks as vLLM and llama.cpp send them, id and model in each."""
    common = {"id": "chatcmpl-0123456789abcdef", "object": "chat.completion.chunk", "created": 1, "model": "a-model-8b"}
    return [
        common | {"choices": [{"index": 0, "delta": {"content": f" word{place}"}, "finish_reason": None}]}
        for place in range(CHUNKS)
    ]


def _anthropic() -> list[dict[str, object]]:
    return [
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": f" word{place}"}}
        for place in range(CHUNKS)
    ]


def _seconds(work: Callable[[], None]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _micro(seconds: float) -> str:
    return f"{seconds / CHUNKS * 1_000_000:.1f}"
