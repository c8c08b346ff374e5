"""The provider that asks a language model, whichever protocol it speaks: prompt in, text and figures out.

What differs between protocols is the transport's affair.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from typing import assert_never, get_args

from assistant.prompts import compose
from assistant.providers import Again, Assignment, Finish, Piece, Text, Unseen
from metering.prices import Usage
from metering.transports.events import Finished, ReasoningDelta, TextDelta, UsageReport
from metering.transports.model import LanguageModel
from metering.transports.received import Received
from metering.transports.requests import ChatRequest, Message


class Hosted:
    """Implements `Provider`. `name` is the protocol's; caps are in tokens."""

    is_model = True

    def __init__(self, name: str, model: LanguageModel, *, max_output_tokens: int, reasoning_tokens: int) -> None:
        self.name = name
        self._model = model
        self._max_output_tokens = max_output_tokens
        self._reasoning_tokens = reasoning_tokens

    def bound_micro_usd(self, assignment: Assignment) -> int:
        """See `Provider`. Reads the price list; raises PriceUnknown and LedgerUnavailable."""
        tries = (self._request(replace(assignment, again=again)) for again in get_args(Again))
        return self._model.bound_micro_usd(*tries)

    def speaks(self, assignment: Assignment) -> str:
        """It is told to speak the reader's language."""
        return assignment.language

    def usage_of_cut(self, assignment: Assignment, received: Received) -> Usage:
        """See `Provider`."""
        return self._model.usage_of(self._request(assignment), received)

    async def stream(self, assignment: Assignment) -> AsyncGenerator[Piece, None]:
        """See `Provider`."""
        request, received = self._request(assignment), Received()
        async with aclosing(self._model.stream(request)) as events:
            async for event in events:
                match event:
                    case TextDelta(text):
                        received.add(event)
                        yield Text(text)
                    case ReasoningDelta() | UsageReport():
                        received.add(event)
                        yield Unseen(event)
                    case Finished(reason):
                        yield Finish(reason, self._model.usage_of(request, received))
                    case _ as never:
                        assert_never(never)

    def _request(self, assignment: Assignment) -> ChatRequest:
        prompt = compose(assignment)
        return ChatRequest(
            system=prompt.system,
            messages=(Message("user", prompt.user),),
            max_output_tokens=self._max_output_tokens,
            reasoning_tokens=self._reasoning_tokens,
        )
