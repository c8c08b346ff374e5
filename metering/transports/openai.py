"""OpenAI's Chat Completions, as hosted models, vLLM, Ollama and llama.cpp speak it. Needs the package `openai`.

Their differences are met here: where the output limit stands, how reasoning and figures are told.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx2
from openai import AsyncOpenAI, DefaultAsyncHttpxClient, OpenAIError

from metering.errors import ModelFailure
from metering.transports.dialect import PerLoop, Response
from metering.transports.events import Finished, ModelEvent, ReasoningDelta, TextDelta, UsageReport
from metering.transports.network import on_asyncio
from metering.transports.patience import Patience
from metering.transports.reading import figure
from metering.transports.requests import ChatRequest

ENDS = {
    "stop": Finished("stop"),
    "eos": Finished("stop"),
    "eos_token": Finished("stop"),  # text-generation-inference
    "length": Finished("length"),
    "model_length": Finished("length"),  # Mistral
}


class OpenAIDialect:
    """Speaks to `base_url`, which ends with /v1 as a rule."""

    errors: tuple[type[Exception], ...] = (OpenAIError,)

    def __init__(self, base_url: str, model: str, key: str, patience: Patience) -> None:
        self._model = model
        # OpenAI's reasoning models refuse `max_tokens`, some compatible servers ignore `max_completion_tokens`.
        self.limit = "max_completion_tokens" if urlsplit(base_url).hostname == "api.openai.com" else "max_tokens"
        timeout = httpx2.Timeout(patience.first_byte, connect=patience.connect)
        self._clients = PerLoop(
            lambda: AsyncOpenAI(
                api_key=key,
                base_url=base_url,
                timeout=timeout,
                max_retries=0,
                http_client=on_asyncio(DefaultAsyncHttpxClient()),
            )
        )

    @asynccontextmanager
    async def open(self, request: ChatRequest) -> AsyncIterator[Response]:
        """See `Dialect`."""
        said: list[Any] = [{"role": message.role, "content": message.content} for message in request.messages]
        more: dict[str, Any] = {self.limit: request.cap}
        if request.json:
            more["response_format"] = {"type": "json_object"}
        async with self._client.chat.completions.with_streaming_response.create(
            model=self._model,
            messages=[{"role": "system", "content": request.system}, *said],
            stream=True,
            stream_options={"include_usage": True},
            extra_body=more,
        ) as response:
            yield response

    def reader(self) -> "ChunkReader":
        """See `Dialect`."""
        return ChunkReader()

    async def check(self) -> None:
        """List the models."""
        await self._client.models.list()

    async def close(self) -> None:
        """See `Dialect`."""
        if (client := self._clients.take(asyncio.get_running_loop())) is not None:
            await client.close()

    @property
    def _client(self) -> AsyncOpenAI:
        return self._clients.of(asyncio.get_running_loop())


class ChunkReader:
    """Reads `chat.completion.chunk` objects."""

    complete = False  # the end is a line of its own, [DONE]

    def __init__(self) -> None:
        self._reason = ""

    @property
    def finished(self) -> bool:
        """See `Reader`."""
        return bool(self._reason)

    def read(self, data: dict[str, Any]) -> Iterator[ModelEvent]:
        """See `Reader`."""
        choices = data.get("choices") or []
        for choice in choices[:1]:
            delta = choice.get("delta") or {}
            yield from _pieces(delta)
            self._reason = choice.get("finish_reason") or self._reason
        if usage := data.get("usage"):
            yield _report(usage, final=not choices or self.finished)

    def finish(self) -> Finished | None:
        """See `Reader`."""
        if self._reason and self._reason not in ENDS:
            raise ModelFailure(
                "rejected" if self._reason == "content_filter" else "malformed", f"it ended by {self._reason:.40}"
            )
        return ENDS.get(self._reason)


def _pieces(delta: dict[str, Any]) -> Iterator[ModelEvent]:
    if thought := delta.get("reasoning_content") or delta.get("reasoning"):
        yield ReasoningDelta(_string(thought))
    content = delta.get("content") or delta.get("refusal") or ""
    if isinstance(content, str):
        yield from [TextDelta(content)] if content else []
        return
    for part in content:  # Mistral's reasoning models: parts, and parts within parts
        if part["type"] == "thinking":
            yield ReasoningDelta("".join(_string(item.get("text", "")) for item in part["thinking"]))
        else:
            yield TextDelta(_string(part["text"]))


def _report(usage: dict[str, Any], *, final: bool) -> UsageReport:
    """Return the figures. Before the end the output's are those of the moment, and say nothing about a cut.

    Some servers leave reasoning out of `completion_tokens`, and have it in the total alone. A prompt of no token is
    a figure that was not filled in.
    """
    prompt, written, total = (figure(usage.get(f"{name}_tokens")) for name in ("prompt", "completion", "total"))
    if written is not None and prompt is not None and total is not None:
        written = max(written, total - prompt)
    reasoning = figure((usage.get("completion_tokens_details") or {}).get("reasoning_tokens"))
    cached = figure((usage.get("prompt_tokens_details") or {}).get("cached_tokens"))
    return UsageReport(prompt or None, written if final else None, reasoning if final else None, cached)


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{type(value).__name__} where text should be")
    return value
