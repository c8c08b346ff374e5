"""The provider at work behind the latch: reserve, stream, release, stop, settle.

Nothing leaves here but sentences that the latch released, each with the sources it cites.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import assert_never
from uuid import UUID

from django.conf import settings

from assistant.database import in_database
from assistant.events import NoticeReason
from assistant.evidence import Evidence
from assistant.providers import NOT_COVERED, Assignment, Finish, Piece, Provider, Text, Unseen
from assistant.release import Release
from assistant.trace import Trace
from guardrails.latch import Latch, LatchRules, ReleasedSentence
from guardrails.leak import REDACTED
from metering import ledger
from metering.prices import Usage
from metering.transports.events import TextDelta
from metering.transports.received import Received


class Wording:
    """One answer being worded. Call `sentences` once, then `close`; both are safe to leave early."""

    def __init__(
        self,
        worded_by: Provider,
        assignment: Assignment,
        rules: LatchRules,
        *,
        subject: str,
        deadline: float,
        shares: tuple[str, ...] = (),
    ) -> None:
        self._assignment = assignment
        self._subject = subject
        self._shares = shares
        self._deadline = deadline
        self._provider = worded_by
        self._release = Release(
            Latch(worded_by.speaks(assignment), [item.source for item in assignment.evidence], rules), NOT_COVERED
        )
        self._stream: AsyncGenerator[Piece, None] | None = None
        self._reservation: UUID | None = None
        self._received = Received()
        self._finish: Finish | None = None
        self._late = False
        self._redacted = 0  # sentences
        self._cost = 0

    async def sentences(self) -> AsyncGenerator[tuple[ReleasedSentence, tuple[Evidence, ...]], None]:
        """Yield released sentences with what they cite. Raises BudgetExhausted and LedgerUnavailable."""
        await self._reserve()
        self._stream = self._provider.stream(self._assignment)
        while not self._release.ended and (piece := await self._next(self._stream)) is not None:
            for sentence in self._take(piece):
                self._redacted += REDACTED in sentence.text
                yield sentence, self._cited(sentence)

    async def close(self) -> None:
        """Close whoever generates and settle what it cost; a second call does nothing."""
        if self._stream is not None:
            await self._stream.aclose()
        if self._reservation is not None:
            reservation, self._reservation = self._reservation, None
            settling = asyncio.ensure_future(in_database(ledger.settle, reservation, self._usage()))
            self._cost = await asyncio.shield(settling)

    def ending(self, released: int) -> NoticeReason | None:
        """Return the notice that the reader is due, or None where the answer is whole."""
        if self._release.not_covered:
            return "not_covered"
        if self._release.stop is not None:
            return "withheld"
        if self._late or self._finish is None:
            return "unavailable"
        if self._release.truncated or self._finish.reason == "length":
            return "truncated"
        return None if released else "not_covered"

    def note(self, trace: Trace) -> None:
        """Write what happened into the turn's trace."""
        trace.provider = self._provider.name
        trace.model_called = self._stream is not None
        trace.cost_microusd += self._cost
        if self._release.stop is not None:
            trace.stop = self._release.stop.code
            trace.guards.append((self._release.stop.code, self._release.stop.detail))
        if self._redacted:
            trace.guards.append(("leak", f"redacted in {self._redacted}"))
        if self._release.not_covered:
            trace.guards.append(("not_covered", ""))

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

    async def _reserve(self) -> None:
        reservation = await in_database(
            ledger.reserve,
            self._provider.bound_micro_usd(self._assignment),
            purpose="answer",
            subject=self._subject,
            seconds=settings.TRAVA.TURN_DEADLINE,
            shares=self._shares,
        )
        self._reservation = reservation.pk

    async def _next(self, stream: AsyncGenerator[Piece, None]) -> Piece | None:
        if self._finish is not None:
            return None
        try:
            async with asyncio.timeout_at(self._deadline):
                return await anext(stream, None)
        except TimeoutError:
            self._late = True
            return None

    def _usage(self) -> Usage:
        if self._finish is not None:
            return self._finish.usage
        return self._provider.usage_of_cut(self._assignment, self._received)

    def _cited(self, sentence: ReleasedSentence) -> tuple[Evidence, ...]:
        return tuple(self._assignment.evidence[number - 1] for number in sentence.sources)
