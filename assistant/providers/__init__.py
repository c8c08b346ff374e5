"""The seam to whoever words an answer: numbered sources in, text in pieces out.

A provider is asked through `provider()`, made on demand, so that a refusal loads no client.
"""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from functools import cache
from typing import Literal, Protocol

from django.conf import settings

from assistant.evidence import Evidence
from assistant.trace import TurnRoute
from metering.prices import Usage
from metering.transports import language_model
from metering.transports.events import ReasoningDelta, UsageReport
from metering.transports.received import Received

NOT_COVERED = "<<NOT_COVERED>>"  # what a provider says when the sources do not answer; never shown

Again = Literal["", "refused", "language", "stopped"]


@dataclass(frozen=True, slots=True)
class Assignment:
    """What a provider is asked to word. `language` is the reader's.

    `before` is what a follow-up leans on: the question before it, or the item of the answer that it points at.
    `again` says on a second try what was wrong with the first: it declined, spoke another language, or was stopped.
    """

    question: str
    language: str
    route: TurnRoute
    evidence: tuple[Evidence, ...]
    owner: str = ""
    before: str = ""
    again: Again = ""


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Unseen:
    """What is charged and never shown: reasoning, or figures that were reported so far."""

    event: ReasoningDelta | UsageReport


@dataclass(frozen=True, slots=True)
class Finish:
    """The answer is complete (`stop`) or was cut by the output limit (`length`)."""

    reason: Literal["stop", "length"]
    usage: Usage


Piece = Text | Unseen | Finish


class Provider(Protocol):
    """Words answers. Closing the generator closes what stands behind it.

    `is_model`: a model words it from the prompt, so that it may decline, stray into another language, and do better
    when it is asked again. One that is no model says the same every time.
    """

    name: str
    is_model: bool

    def bound_micro_usd(self, assignment: Assignment) -> int:
        """Return the most that one call can cost, the first as well as any second try."""
        ...

    def speaks(self, assignment: Assignment) -> str:
        """Return the language that the answer will be in: what the latch reads it by."""
        ...

    def usage_of_cut(self, assignment: Assignment, received: Received) -> Usage:
        """Return what a stream that was cut after `received` cost at most."""
        ...

    def stream(self, assignment: Assignment) -> AsyncGenerator[Piece, None]:
        """Yield text as it arrives and, last, exactly one `Finish`; without one the answer has failed.

        Raises ModelFailure.
        """
        ...


@cache
def provider() -> Provider:
    """Return the configured provider."""
    chosen, model = settings.TRAVA, language_model()
    if model is None:
        from assistant.providers.quoting import Quoting

        return Quoting()
    from assistant.providers.hosted import Hosted

    return Hosted(
        chosen.LLM_PROVIDER,
        model,
        max_output_tokens=chosen.LLM_MAX_OUTPUT_TOKENS,
        reasoning_tokens=chosen.LLM_REASONING_TOKENS,
    )
