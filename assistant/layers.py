"""What the layers of a turn saw and decided, told while they work to whoever watches.

A step is told after its layer decided, and carries no text of a model and of no visitor. Watching changes nothing:
a turn that nobody watches decides the same.
"""

from collections.abc import Callable
from dataclasses import dataclass

from assistant.events import Similarities, TopPassage
from assistant.trace import TurnRoute
from guardrails.refusal import Category


@dataclass(frozen=True, slots=True)
class Tried:
    """Layer 1: how many patterns and phrases of the owner were tried, and which refused the question, if one did."""

    patterns: int
    phrases: int
    category: Category | None
    pattern: str


@dataclass(frozen=True, slots=True)
class Sourced:
    """Layer 2: where the question went, how near the nearest passages came, and how many sources it may rest on.

    No source: the question is refused here. Similarities are null where the records answer and nothing was searched.
    """

    route: TurnRoute
    best: Similarities
    floor: Similarities
    top: tuple[TopPassage, ...]
    sources: int


@dataclass(frozen=True, slots=True)
class Reserved:
    """The most that the answer may cost was held back from the month's budget."""

    micro_usd: int


Step = Tried | Sourced | Reserved
Watch = Callable[[Step], None]


def nobody(_step: Step) -> None:
    """Watch nothing."""
