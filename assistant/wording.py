"""The provider at work behind the latch: reserve, ask, ask again once where that may save the answer, settle.

Nothing leaves here but sentences that the latch released, each with the sources it cites. One reservation, made before
the first call, covers both calls.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from uuid import UUID

import structlog
from django.conf import settings

from assistant import caveats, prompts, reservations
from assistant.attempt import Attempt
from assistant.events import NoticeReason
from assistant.evidence import Evidence
from assistant.later import later
from assistant.layers import Reserved, Watch, nobody
from assistant.metrics import MODEL_FAILURES, MODEL_REFUSALS, SECOND_TRIES, STRAYED
from assistant.providers import Again, Assignment, Provider
from assistant.trace import Trace
from guardrails.latch import LatchRules, ReleasedSentence
from metering import ledger
from metering.errors import LedgerUnavailable, ModelFailure

# The most calls of a language model that one turn makes: the answer, and one second try. Embedding is another model's.
MOST_CALLS = 2
UNDUE = "undue_refusal"  # the guard by which the owner finds refusals that a second try did not mend

log = structlog.get_logger()


class Wording:
    """One answer being worded. Call `sentences` once, then `close`; both are safe to leave early.

    `strong`: the evidence is so good that a model which declines in prose is asked again.
    """

    def __init__(
        self,
        worded_by: Provider,
        assignment: Assignment,
        rules: LatchRules,
        *,
        strong: bool,
        subject: str,
        deadline: float,
        shares: tuple[str, ...] = (),
        watch: Watch = nobody,
    ) -> None:
        self._provider = worded_by
        self._assignment = assignment
        self._rules = rules
        self._strong = strong
        self._subject = subject
        self._deadline = deadline
        self._shares = shares
        self._watch = watch
        self._held = 0  # micro-USD
        self._reservation: UUID | None = None
        self._attempts: list[Attempt] = []
        self._cost = 0
        self._told: set[int] = set()  # sources that were cited
        self._caveats = self._owed = 0  # sentences that we added, and sources that they were due from
        self._without_database = False

    async def sentences(self) -> AsyncGenerator[tuple[ReleasedSentence, tuple[Evidence, ...]], None]:
        """Yield released sentences with what they cite, last the caveats that they left out.

        Raises what stands in the way of a reservation.
        """
        self._reservation = await reservations.hold(self._reserve)
        self._watch(Reserved(self._held))
        why: Again = ""
        while True:
            attempt = Attempt(self._provider, replace(self._assignment, again=why), self._rules, self._deadline)
            self._attempts.append(attempt)
            async with aclosing(attempt.sentences()) as sentences:
                async for sentence in sentences:
                    self._told.update(sentence.sources)
                    yield sentence, self._cited(sentence)
            await attempt.close()
            why = attempt.why_again(strong=self._strong)
            if not why or len(self._attempts) == MOST_CALLS:
                break
        self._owed = len(caveats.owed(self._told, self._assignment.evidence))
        for sentence in caveats.quoted(self._told, self._assignment.evidence, self._rules):
            self._caveats += 1
            yield sentence, self._cited(sentence)

    async def close(self) -> None:
        """Close whoever generates and settle what it cost; a second call does nothing.

        Where the ledger cannot be reached the reservation stands, and is charged in full past its deadline.
        """
        for attempt in self._attempts:
            await attempt.close()
        if self._reservation is not None:
            reservation, self._reservation = self._reservation, None
            if self._without_database:
                later(self._settle(reservation))
            else:
                await self._settle(reservation)

    def without_database(self) -> None:
        """Let nobody wait for a settlement that can hardly succeed now."""
        self._without_database = True

    async def _settle(self, reservation: UUID) -> None:
        try:
            self._cost = await reservations.settle(reservation, *(attempt.usage() for attempt in self._attempts))
        except LedgerUnavailable:
            log.exception("turn.not_settled", turn=self._subject)

    def ending(self) -> NoticeReason | None:
        """Return the notice that the reader is due, or None where the answer is whole."""
        return self._attempts[-1].ending()

    def note(self, trace: Trace) -> None:
        """Write what happened into the turn's trace, and count it."""
        trace.provider = self._provider.name
        trace.model_called = bool(self._attempts)
        trace.cost_microusd += self._cost
        if self._provider.is_model:
            trace.prompt_version = prompts.version()
        for attempt in self._attempts:
            self._note_attempt(attempt, trace)
            if attempt is not self._attempts[-1]:
                why = attempt.why_again(strong=self._strong)
                trace.guards.append(("second_try", why))
                SECOND_TRIES.labels(why).inc()
        if self._owed:
            trace.guards.append(("caveat", f"{self._caveats} of {self._owed} quoted"))
        if self._attempts:
            self._note_end(self._attempts[-1], trace)

    @property
    def asked_a_model(self) -> bool:
        """Whether a model was called at all."""
        return self._provider.is_model and bool(self._attempts)

    @property
    def failure(self) -> ModelFailure | None:
        """What went wrong between us and the model, where something did."""
        return self._attempts[-1].failure if self._attempts else None

    def _note_attempt(self, attempt: Attempt, trace: Trace) -> None:
        if attempt.declined and attempt.stop:
            kind = "undue" if self._strong and not attempt.released else "legitimate"
            trace.guards.append(("model_refusal", f"{kind}: {attempt.stop.detail}"))
            MODEL_REFUSALS.labels(kind).inc()
        elif attempt.broke:
            trace.guards.append((attempt.broke.code, attempt.broke.detail))
        if attempt.said_not_covered:
            trace.guards.append(("not_covered", ""))
            MODEL_REFUSALS.labels("token").inc()
        if attempt.redacted:
            trace.guards.append(("leak", f"redacted in {attempt.redacted}"))
        if attempt.in_another_language:
            trace.guards.append(("language", "the first sentence"))
        if attempt.strayed:
            trace.guards.append(("language", f"{attempt.strayed} released"))
            STRAYED.inc(attempt.strayed)

    def _note_end(self, last: Attempt, trace: Trace) -> None:
        trace.stop = last.broke.code if last.broke else None
        if last.declined and self._strong and not last.released:
            trace.guards.append((UNDUE, "asked twice"))
        if last.late:
            trace.guards.append(("deadline", ""))
        if last.failure:
            trace.guards.append(("model", last.failure.kind))
            MODEL_FAILURES.labels(last.failure.kind).inc()

    def _reserve(self) -> UUID:
        calls = MOST_CALLS if self._provider.is_model else 1
        self._held = calls * self._provider.bound_micro_usd(self._assignment)
        return ledger.reserve(
            self._held,
            purpose="answer",
            subject=self._subject,
            seconds=settings.TRAVA.TURN_DEADLINE,
            shares=self._shares,
        ).pk

    def _cited(self, sentence: ReleasedSentence) -> tuple[Evidence, ...]:
        return tuple(self._assignment.evidence[number - 1] for number in sentence.sources)
