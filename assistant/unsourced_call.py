"""One call of a model that is given no sources, every sentence of it judged by the belt: reserved, bounded, settled.

It releases nothing and keeps nothing: who reads the sentences is decided by its caller, `assistant.without_sources`.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, replace
from uuid import UUID

import structlog
from django.conf import settings

from assistant import owner_rules, prompts, reservations
from assistant.metrics import COST, MODEL_FAILURES
from assistant.question import Question
from assistant.reader_language import reader_language
from guardrails.belt import Code
from guardrails.candidate import LatchRules
from guardrails.inspection import Inspected, Inspection
from metering import ledger
from metering.errors import LedgerUnavailable, ModelFailure
from metering.transports.events import Finished, ModelEvent, TextDelta
from metering.transports.model import LanguageModel
from metering.transports.received import Received
from metering.transports.requests import ChatRequest, Message
from records.models import Owner

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Tally:
    """How it ended, in figures. `checks` says how many sentences each check objected to, the most first.

    Not `whole`: the model failed, or took too long, and the sentences are those until then.
    """

    sentences: int
    stopped: int
    checks: tuple[tuple[Code, int], ...]
    cost_microusd: int
    whole: bool


class UnsourcedCall:
    """Use `sentences` once, then `settle`; both are safe to leave early."""

    def __init__(self, question: Question, model: LanguageModel) -> None:
        self.language = reader_language(question.text, question.language)
        self.failure: ModelFailure | None = None
        self._question = question
        self._model = model
        self._request: ChatRequest
        self._rules = LatchRules()
        self._received = Received()
        self._reservation: UUID | None = None
        self._finished = False
        self._sentences = self._stopped = self._cost = 0
        self._checks: Counter[Code] = Counter()

    async def sentences(self) -> AsyncGenerator[Inspected, None]:
        """Yield the sentences as they end. Raises what stands in the way of a reservation."""
        self._reservation = await reservations.hold(self._reserve)
        inspection = Inspection(self.language, replace(self._rules, by_model=True))
        async with aclosing(self._texts()) as texts:
            async for text in texts:
                for sentence in inspection.feed(text):
                    yield self._counted(sentence)
        for sentence in inspection.flush():
            yield self._counted(sentence)

    async def settle(self) -> None:
        """Charge what was used; a second call does nothing. Unsettled it is charged in full past its deadline."""
        if self._reservation is None:
            return
        reservation, self._reservation = self._reservation, None
        try:
            self._cost = await reservations.settle(reservation, self._model.usage_of(self._request, self._received))
            COST.inc(self._cost)
        except LedgerUnavailable:
            log.exception("demo.not_settled", turn=str(self._question.id))

    def tally(self) -> Tally:
        """Return the figures so far."""
        return Tally(self._sentences, self._stopped, tuple(self._checks.most_common()), self._cost, self._finished)

    def _counted(self, sentence: Inspected) -> Inspected:
        self._sentences += 1
        self._stopped += bool(sentence.objections)
        self._checks.update({objection.code for objection in sentence.objections})
        return sentence

    async def _texts(self) -> AsyncGenerator[str, None]:
        deadline = asyncio.get_running_loop().time() + settings.TRAVA.TURN_DEADLINE
        async with aclosing(self._model.stream(self._request)) as events:
            while (event := await self._next(events, deadline)) is not None:
                if isinstance(event, Finished):
                    self._finished = True
                    continue
                self._received.add(event)
                if isinstance(event, TextDelta):
                    yield event.text

    async def _next(self, events: AsyncGenerator[ModelEvent, None], deadline: float) -> ModelEvent | None:
        try:
            async with asyncio.timeout_at(deadline):
                return await anext(events, None)
        except TimeoutError:
            log.warning("demo.late", turn=str(self._question.id))
        except ModelFailure as failure:
            self.failure = failure
            MODEL_FAILURES.labels(failure.kind).inc()
        return None

    def _reserve(self) -> UUID:
        owner = Owner.objects.first()
        self._rules = owner_rules.current(owner).latch
        self._request = _request(self._question.text, self.language, owner)
        return ledger.reserve(
            self._model.bound_micro_usd(self._request),
            purpose="demo",
            subject=str(self._question.id),
            seconds=settings.TRAVA.TURN_DEADLINE,
            shares=self._question.shares,
        ).pk


def _request(question: str, language: str, owner: Owner | None) -> ChatRequest:
    """Return the question with no word of what is published but the owner's name."""
    system = prompts.part(
        "without_sources",
        owner=owner.name_in(language) if owner else "its owner",
        language=prompts.language_name(language),
    )
    return ChatRequest(
        system=system,
        messages=(Message("user", question),),
        max_output_tokens=settings.TRAVA.LLM_MAX_OUTPUT_TOKENS,
        reasoning_tokens=settings.TRAVA.LLM_REASONING_TOKENS,
    )
