"""A language model by name: its stream, its whole answers, and what either may cost and did cost.

It reserves and settles nothing: who asks has one reservation for all that a turn may need.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from metering.errors import ModelFailure
from metering.prices import Usage, price_of
from metering.transports.charging import input_bound, usage_of
from metering.transports.chat import Chat
from metering.transports.events import Finished, ModelEvent, TextDelta
from metering.transports.received import Received
from metering.transports.requests import ChatRequest


@dataclass(frozen=True, slots=True)
class Completion:
    """A whole answer without its reasoning, and what it is charged by. `whole`: the output cap did not cut it."""

    text: str
    usage: Usage
    whole: bool


class LanguageModel:
    """`name` is what prices are kept under; `byte_level` says that its tokenizer works on bytes."""

    def __init__(self, name: str, chat: Chat, *, byte_level: bool) -> None:
        self.name = name
        self._chat = chat
        self._byte_level = byte_level

    def bound_micro_usd(self, *requests: ChatRequest) -> int:
        """Return the most that the dearest of these calls can cost, by one look at the price list.

        Raise PriceUnknown or LedgerUnavailable.
        """
        price = price_of(self.name)
        return max(price.bound(input_bound(each, byte_level=self._byte_level), each.cap) for each in requests)

    def usage_of(self, request: ChatRequest, received: Received) -> Usage:
        """Return what a call is charged by of which this has arrived: of a whole one, of a cut one, of none."""
        return usage_of(self.name, request, received, byte_level=self._byte_level)

    def stream(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        """Yield events as they arrive; see `Chat.stream`."""
        return self._chat.stream(request)

    async def complete(self, request: ChatRequest) -> Completion:
        """Return the whole answer. A ModelFailure says by `usage` what it is charged by.

        Who cancels this settles with `usage_of(request, Received())`.
        """
        received, text, whole = Received(), [], False
        try:
            async with aclosing(self.stream(request)) as events:
                async for event in events:
                    if isinstance(event, Finished):
                        whole = event.reason == "stop"
                        continue
                    received.add(event)
                    if isinstance(event, TextDelta):
                        text.append(event.text)
        except ModelFailure as failure:
            failure.usage = self.usage_of(request, received)
            raise
        return Completion("".join(text), self.usage_of(request, received), whole)

    async def check(self) -> None:
        """See whether it can be reached and the key is accepted, at no cost; raise ModelFailure."""
        await self._chat.check()

    async def close(self) -> None:
        """Close the connections that this event loop keeps for later."""
        await self._chat.close()
