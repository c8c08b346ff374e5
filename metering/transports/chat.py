"""One chat with a model: opened at most twice, read line by line, closed at once when its reader is done.

The SDK makes the request, signs it and raises its errors; the event lines are read here, which costs a tenth.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, aclosing
from typing import cast

import httpx2

from metering.errors import ModelFailure
from metering.transports.dialect import Dialect, Response
from metering.transports.events import ModelEvent, UsageReport
from metering.transports.failures import NOTHING_WRITTEN, failure_of, pause_before_retry
from metering.transports.patience import Patience
from metering.transports.reading import Reading
from metering.transports.requests import ChatRequest

NOTHING = UsageReport(input_tokens=0, output_tokens=0)


class Chat:
    """Talks to one model. Any number of streams at once; each belongs to its caller."""

    def __init__(self, dialect: Dialect, patience: Patience) -> None:
        self._dialect = dialect
        self._patience = patience
        self._errors: tuple[type[Exception], ...] = (*dialect.errors, httpx2.HTTPError, TimeoutError)

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        """Yield events, `Finished` last; closing the generator closes the connection. Raises ModelFailure."""
        async with AsyncExitStack() as stack:
            try:
                response = await self._open(request, stack)
            except ModelFailure as failure:
                if failure.kind in NOTHING_WRITTEN:
                    yield NOTHING
                raise
            reading = Reading(self._dialect.reader(), request)
            async with aclosing(self._pieces(response, reading)) as pieces:
                async for data in pieces:
                    for event in reading.feed(data):
                        yield event
            for event in reading.end():
                yield event

    async def check(self) -> None:
        """See whether the model can be reached and the key is accepted, at no cost. Raises ModelFailure."""
        try:
            async with asyncio.timeout(self._patience.connect):
                await self._dialect.check()
        except self._errors as error:
            raise failure_of(error) from None

    async def close(self) -> None:
        """Close the connections that this event loop keeps for later."""
        await self._dialect.close()

    async def _open(self, request: ChatRequest, stack: AsyncExitStack) -> Response:
        try:
            return await self._attempt(request, stack)
        except self._errors as error:
            pause = pause_before_retry(error, self._patience.retry)
            if pause is None:
                raise failure_of(error) from None  # an SDK's message may hold a visitor's words
        await asyncio.sleep(pause)
        try:
            return await self._attempt(request, stack)
        except self._errors as error:
            raise failure_of(error) from None

    async def _attempt(self, request: ChatRequest, stack: AsyncExitStack) -> Response:
        async with asyncio.timeout(self._patience.first_byte):
            return await stack.enter_async_context(self._dialect.open(request))

    async def _pieces(self, response: Response, reading: Reading) -> AsyncGenerator[bytes, None]:
        """Yield the body until it ends, or fails after all was said."""
        seconds = self._patience.first_byte
        async with aclosing(cast("AsyncGenerator[bytes, None]", response.iter_bytes())) as chunks:
            while True:
                last = reading.complete
                try:
                    async with asyncio.timeout(self._patience.linger if last else seconds):
                        data = await anext(chunks, None)
                except (httpx2.HTTPError, TimeoutError) as error:
                    if reading.finished:
                        return
                    raise failure_of(error) from None
                if last or data is None:
                    return
                yield data
                seconds = self._patience.between
