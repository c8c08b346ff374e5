"""Anthropic's Messages. Needs the package `anthropic`.

Whether the model thinks is left to the model: what the protocol takes differs from one to the next, and the output
limit bounds its thoughts as well.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from anthropic import AnthropicError, AsyncAnthropic, DefaultAsyncHttpxClient

from metering.errors import ModelFailure
from metering.transports.dialect import PerLoop, Response
from metering.transports.events import Finished, ModelEvent, ReasoningDelta, TextDelta, UsageReport
from metering.transports.network import on_asyncio
from metering.transports.patience import Patience
from metering.transports.reading import figure
from metering.transports.requests import ChatRequest

ENDS = {
    "end_turn": Finished("stop"),
    "stop_sequence": Finished("stop"),
    "max_tokens": Finished("length"),
    "model_context_window_exceeded": Finished("length"),
}


class AnthropicDialect:
    """Speaks to `base_url`, which has no /v1."""

    errors: tuple[type[Exception], ...] = (AnthropicError,)

    def __init__(self, base_url: str, model: str, key: str, patience: Patience) -> None:
        self._model = model
        timeout = httpx2.Timeout(patience.first_byte, connect=patience.connect)
        self._clients = PerLoop(
            lambda: AsyncAnthropic(
                api_key=key,
                base_url=base_url.removesuffix("/v1"),
                timeout=timeout,
                max_retries=0,
                http_client=on_asyncio(DefaultAsyncHttpxClient()),
            )
        )

    @asynccontextmanager
    async def open(self, request: ChatRequest) -> AsyncIterator[Response]:
        """See `Dialect`."""
        said: list[Any] = [{"role": message.role, "content": message.content} for message in request.messages]
        async with self._client.messages.with_streaming_response.create(
            model=self._model,
            system=request.system,
            messages=said,
            max_tokens=request.cap,
            stream=True,
        ) as response:
            yield response

    def reader(self) -> "MessageReader":
        """See `Dialect`."""
        return MessageReader()

    async def check(self) -> None:
        """List one of the models."""
        await self._client.models.list(limit=1)

    async def close(self) -> None:
        """See `Dialect`."""
        if (client := self._clients.take(asyncio.get_running_loop())) is not None:
            await client.close()

    @property
    def _client(self) -> AsyncAnthropic:
        return self._clients.of(asyncio.get_running_loop())


class MessageReader:
    """Reads the events of one message; kinds that it does not know are nothing."""

    def __init__(self) -> None:
        self._reason = ""
        self.complete = False

    @property
    def finished(self) -> bool:
        """See `Reader`."""
        return bool(self._reason)

    def read(self, data: dict[str, Any]) -> Iterator[ModelEvent]:
        """See `Reader`."""
        match data:
            case {"type": "message_start", "message": {"usage": dict(usage)}}:
                yield _report(usage, final=False)
            case {"type": "content_block_start", "content_block": dict(piece)}:
                yield from _piece(piece)
            case {"type": "content_block_delta", "delta": dict(piece)}:
                yield from _piece(piece)
            case {"type": "message_delta", "delta": dict(delta)}:
                self._reason = delta.get("stop_reason") or self._reason
                yield _report(data.get("usage") or {}, final=self.finished)
            case {"type": kind}:
                self.complete = kind == "message_stop"
            case _:
                raise TypeError("no event")

    def finish(self) -> Finished | None:
        """See `Reader`."""
        if self._reason and self._reason not in ENDS:
            raise ModelFailure(
                "rejected" if self._reason == "refusal" else "malformed", f"it ended by {self._reason:.40}"
            )
        return ENDS.get(self._reason)


def _piece(piece: dict[str, Any]) -> Iterator[ModelEvent]:
    match piece:
        case {"type": "text" | "text_delta", "text": str(text)} if text:
            yield TextDelta(text)
        case {"type": "thinking" | "thinking_delta", "thinking": str(text)} if text:
            yield ReasoningDelta(text)
        # Thoughts that are kept from us come encrypted: they are as long, and as dear.
        case {"type": "signature_delta", "signature": str(text)} | {"type": "redacted_thinking", "data": str(text)}:
            yield ReasoningDelta(text)
        case _:
            pass


def _report(usage: dict[str, Any], *, final: bool) -> UsageReport:
    """Return the figures: read and written parts of the cache are not in `input_tokens`. Nothing read: not told."""
    cached = figure(usage.get("cache_read_input_tokens"))
    parts = (figure(usage.get("input_tokens")), cached, figure(usage.get("cache_creation_input_tokens")))
    told = sum(part or 0 for part in parts)
    details = usage.get("output_tokens_details") or {}
    return UsageReport(
        input_tokens=(told or None) if parts[0] is not None else None,
        output_tokens=figure(usage.get("output_tokens")) if final else None,
        reasoning_tokens=figure(details.get("thinking_tokens")) if final else None,
        cached_tokens=cached,
    )
