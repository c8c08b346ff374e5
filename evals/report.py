"""What a suite found: one outcome a case, and figures over them; and what a suite is."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from django.utils.functional import Promise

from evals.asking import Asker
from evals.metrics import Figure


class Gate(StrEnum):
    """What a suite must reach for a run to pass."""

    PERFECT = "perfect"  # every case
    TARGET = "target"  # figures that the suite itself states
    BASELINE = "baseline"  # no figure worse than the committed one
    REPORTED = "reported"  # nothing: the figures are there to be seen


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one case gave. `detail` is JSON, and says enough to see why it failed."""

    case: str
    passed: bool
    detail: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Report:
    """What a suite found in one language."""

    outcomes: tuple[Outcome, ...]
    figures: Mapping[str, Figure]
    on_target: bool = True  # whether a suite with targets reached them

    def failed(self) -> tuple[Outcome, ...]:
        """Return the cases that did not pass."""
        return tuple(outcome for outcome in self.outcomes if not outcome.passed)


@dataclass(frozen=True, slots=True)
class Suite:
    """One idea, asked of every language.

    `figure` is the one that speaks for it in a chart; `compared` names figures that may not get worse, and which way is
    better.
    """

    name: str
    gate: Gate
    figure: str
    asks: str | Promise
    run: Callable[[Asker, str], Awaitable[Report]]
    compared: Mapping[str, Literal["higher", "lower"]] = field(default_factory=dict)

    def holds(self, report: Report) -> bool:
        """Whether the report passes the suite's own gate; the baseline is compared elsewhere."""
        match self.gate:
            case Gate.PERFECT:
                return not report.failed()
            case Gate.TARGET:
                return report.on_target
            case Gate.BASELINE | Gate.REPORTED:
                return True
