"""`python -m bench.model_site PORT RATE TOKENS`: a model that quotes its sources, so many tokens a second.

It speaks as much of OpenAI's protocol as one stream needs, in one process of one event loop, and keeps for each answer
when the bytes left it: `GET /prompt` tells the last prompt, `GET /stamps` what left when. It quotes what the latch
would let pass: what is measured are answers that are released whole.
"""

import asyncio
import json
import re
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, cycle, zip_longest

from guardrails.latch import Latch, LatchRules, Source
from guardrails.sentences import SentenceSplitter

READER = re.compile(r"#(\d+)\n</question")  # the number that a reader's question ends with
_SOURCE = re.compile(r"<source \w+ number=(\d+) [^\n]*>\n[^\n]*\n(.*?)\n</source", re.DOTALL)
_TOKEN = re.compile(r"\s?\S{1,6}")  # some five characters, a word's space before it: as tokenizers cut
_LEAST_LETTERS = 40  # of a sentence that is worth quoting
_CHUNK = '{"id":"c1","object":"chat.completion.chunk","created":1,"model":"bench","choices":[%s]}'
_HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Script:
    """What is said: the tokens, and for each sentence the place of its last token and the text's length to there."""

    tokens: tuple[str, ...]
    ends: tuple[tuple[int, int], ...]


@dataclass(slots=True)
class Site:
    """The server's state. `stamps`: for each reader's number when each token left, by `time.monotonic`."""

    rate: float
    tokens: int
    prompt: str = ""
    stamps: dict[str, list[float]] = field(default_factory=dict)
    ends: dict[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection's requests until its other end leaves."""
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                size = re.search(r"content-length: (\d+)", head, re.IGNORECASE)
                body = await reader.readexactly(int(size[1]) if size else 0)
                await self._answer(head.split(" ")[1], body, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def _answer(self, path: str, body: bytes, writer: asyncio.StreamWriter) -> None:
        if path == "/v1/chat/completions":
            await self._say(json.loads(body)["messages"][-1]["content"], writer)
            return
        told = {"prompt": self.prompt} if path == "/prompt" else {"stamps": self.stamps, "ends": self.ends}
        data = json.dumps(told).encode()
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % len(data) + data)
        await writer.drain()

    async def _say(self, prompt: str, writer: asyncio.StreamWriter) -> None:
        self.prompt = prompt
        found = READER.search(prompt)
        script = scripted(_sources(prompt), self.tokens)
        stamps: list[float] = []
        if found:
            self.stamps[found[1]], self.ends[found[1]] = stamps, script.ends
        writer.write(_HEAD)
        start = time.monotonic()
        for place, token in enumerate(script.tokens):
            await asyncio.sleep(start + place / self.rate - time.monotonic())
            stamps.append(time.monotonic())
            writer.write(_event(f'{{"index":0,"delta":{{"content":{json.dumps(token)}}},"finish_reason":null}}'))
            await writer.drain()
        stamps.append(time.monotonic())
        writer.write(_event('{"index":0,"delta":{},"finish_reason":"stop"}'))
        writer.write(_chunk(b"data: [DONE]\n\n") + b"0\r\n\r\n")
        await writer.drain()


@cache
def scripted(sources: tuple[tuple[str, str], ...], tokens: int) -> Script:
    """Return an answer of so many tokens at least: sentences of the sources in turn, each with its marker."""
    quotes = list(_quotes(sources))
    if not quotes:
        raise ValueError("the prompt holds no source that could be quoted")
    said: list[str] = []
    ends: list[tuple[int, int]] = []
    for quote in cycle(quotes):
        if len(said) >= tokens:
            break
        said += _TOKEN.findall(f" {quote}" if said else quote)
        ends.append((len(said) - 1, sum(map(len, said))))
    return Script(tuple(said), tuple(ends))


def _quotes(sources: Sequence[tuple[str, str]]) -> Iterator[str]:
    split = [[f"{text[:-1]} [{number}]." for text in _sentences(source)] for number, source in sources]
    yield from (quote for quote in chain.from_iterable(zip_longest(*split)) if quote)


def _sentences(text: str) -> Iterator[str]:
    splitter = SentenceSplitter("en")
    for sentence in (*splitter.feed(text), *splitter.flush()):
        found = sentence.text.strip()
        if len(found) >= _LEAST_LETTERS and found.endswith(".") and "\n" not in found and _passes(found):
            yield found


def _passes(sentence: str) -> bool:
    """Whether a model may say it: the sources speak in the first person, which a model must not."""
    latch = Latch("en", [Source(sentence, "en")], LatchRules(by_model=True))
    latch.feed(f"{sentence[:-1]} [1].")
    return bool(latch.flush()) and latch.stop is None


def _sources(prompt: str) -> tuple[tuple[str, str], ...]:
    return tuple((number, text) for number, text in _SOURCE.findall(prompt))


def _event(choice: str) -> bytes:
    return _chunk(f"data: {_CHUNK % choice}\n\n".encode())


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


async def main(port: int, rate: float, tokens: int) -> None:
    """Serve until the process is ended."""
    server = await asyncio.start_server(Site(rate, tokens).serve, "127.0.0.1", port, backlog=1_000)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])))
