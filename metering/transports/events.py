"""What a model's stream says, whichever protocol carried it. A failure is no event but a `ModelFailure`."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """A piece of what the model thinks before it answers: charged, never shown."""

    text: str


@dataclass(frozen=True, slots=True)
class UsageReport:
    """The provider's own figures, in tokens; None where it said nothing.

    As in `metering.prices.Usage`, cached tokens are part of the input and reasoning tokens of the output.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    cached_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Finished:
    """The model came to its end (`stop`) or to the output limit (`length`). Always the last event."""

    reason: Literal["stop", "length"]


ModelEvent = TextDelta | ReasoningDelta | UsageReport | Finished
