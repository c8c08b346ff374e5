"""What arrived of one stream: what it is charged by where the provider's own figures are missing."""

from dataclasses import dataclass, field, fields
from typing import assert_never

from metering.transports.events import ReasoningDelta, TextDelta, UsageReport


@dataclass(slots=True)
class Received:
    """UTF-8 bytes that arrived, and the latest figures reported."""

    text_bytes: int = 0
    reasoning_bytes: int = 0
    report: UsageReport = field(default_factory=UsageReport)

    def add(self, event: TextDelta | ReasoningDelta | UsageReport) -> None:
        """Count one event; a later report's figures take the place of earlier ones."""
        match event:
            case TextDelta(text):
                self.text_bytes += _size(text)
            case ReasoningDelta(text):
                self.reasoning_bytes += _size(text)
            case UsageReport():
                self.report = _merged(self.report, event)
            case _ as never:
                assert_never(never)


def _merged(earlier: UsageReport, later: UsageReport) -> UsageReport:
    figures = ((getattr(later, item.name), getattr(earlier, item.name)) for item in fields(UsageReport))
    return UsageReport(*(old if new is None else new for new, old in figures))


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
