"""One call of a provider, read through a latch of its own and closed as soon as nothing more can be released.

It knows neither money nor the database: what was received is there to be charged by whoever reserved.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from typing import assert_never

from assistant import prompts
from assistant.events import NoticeReason
from assistant.providers import NOT_COVERED, Again, Assignment, Finish, Piece, Provider, Text, Unseen
from assistant.reader_language import strays
from assistant.release import Release
from guardrails.latch import Latch, LatchRules, ReleasedSentence, Stop
from guardrails.leak import REDACTED
from metering.errors import ModelFailure
from metering.prices import Usage
from metering.transports.events import TextDelta
from metering.transports.received import Received


class Attempt:
    """Read `sentences` once, then `close`; both are safe to leave early."""

    def __init__(self, provider: Provider, assignment: Assignment, rules: LatchRules, deadline: float) -> None:
        self._provider = provider
        self._assignment = assignment
        self._deadline = deadline
        sources = [item.source for item in assignment.evidence]
        if provider.is_model:
            rules = replace(rules, by_model=True, instructions=prompts.instructions(assignment))
        latch = Latch(provider.speaks(assignment), sources, rules)
        self._release = Release(latch, NOT_COVERED)
        self._stream = provider.stream(assignment)
        self._received = Received()
        self._finish: Finish | None = None
        self.released = self.redacted = self.strayed = 0  # sentences
        self.in_another_language = False  # the first sentence was, and nothing was released
        self.late = False
        self.failure: ModelFailure | None = None

    @property
    def stop(self) -> Stop | None:
        """The violation that ended the answer."""
        return self._release.stop

    @property
    def declined(self) -> bool:
        """Whether the model declined in prose."""
        return self.stop is not None and self.stop.code == "model_refusal"

    @property
    def broke(self) -> Stop | None:
        """The rule that it broke; a refusal breaks none, and another language was read by the wrong ones."""
        return None if self.declined or self.in_another_language else self.stop

    @property
    def said_not_covered(self) -> bool:
        """Whether it said the fixed token."""
        return self._release.not_covered

    async def sentences(self) -> AsyncGenerator[ReleasedSentence, None]:
        """Yield what the latch releases. Whoever generates is closed before the last of it is handed on."""
        while not self._ended and (released := await self._read()) is not None:
            self.in_another_language = not self.released and self._strays_at_first(released)
            if self._ended:
                await self.close()
            for sentence in () if self.in_another_language else released:
                self.released += 1
                self.redacted += REDACTED in sentence.text
                self.strayed += self._strays(sentence.text)
                yield sentence

    async def close(self) -> None:
        """Close whoever generates; a second call does nothing."""
        await self._stream.aclose()

    def usage(self) -> Usage:
        """Return what this call is charged by: the provider's figures, or upper bounds for what arrived."""
        if self._finish is not None:
            return self._finish.usage
        return self._provider.usage_of_cut(self._assignment, self._received)

    def why_again(self, *, strong: bool) -> Again:
        """Return why a second try may save the answer: nothing was released, and the fault is the model's own."""
        if self.released or not self._provider.is_model:
            return ""
        if self.in_another_language:
            return "language"
        if self.declined:
            return "refused" if strong else ""
        return "stopped" if self.stop else ""

    def ending(self) -> NoticeReason | None:
        """Return the notice that the reader is due, or None where the answer is whole."""
        if self.said_not_covered or self.declined:
            return "not_covered"
        if self.in_another_language:
            return "unavailable"
        if self.stop is not None:
            return "withheld"
        if self.late or self._finish is None:
            return "unavailable"
        if self._release.truncated or self._finish.reason == "length":
            return "truncated"
        return None if self.released else "not_covered"

    @property
    def _ended(self) -> bool:
        return self._release.ended or self.in_another_language or self._finish is not None

    async def _read(self) -> Sequence[ReleasedSentence] | None:
        """Read on until something is released or nothing more can be; None where nothing more comes."""
        try:
            async with asyncio.timeout_at(self._deadline):
                while (piece := await anext(self._stream, None)) is not None:
                    released = self._take(piece)
                    if released or self._ended:
                        return released
        except TimeoutError:
            self.late = True
        except ModelFailure as failure:
            self.failure = failure
        return None

    def _take(self, piece: Piece) -> Sequence[ReleasedSentence]:
        match piece:
            case Text(text):
                self._received.add(TextDelta(text))
                return self._release.feed(text)
            case Unseen(event):
                self._received.add(event)
                return ()
            case Finish():
                self._finish = piece
                return self._release.flush(piece.reason)
            case _ as never:
                assert_never(never)

    def _strays_at_first(self, released: Sequence[ReleasedSentence]) -> bool:
        """Judge the first sentence by its language before any other fault: the latch read it by another one's rules."""
        if released:
            return self._strays(released[0].text)
        return self.stop is not None and not self.declined and self._strays(self.stop.sentence)

    def _strays(self, sentence: str) -> bool:
        return self._provider.is_model and strays(sentence, self._assignment.language)
