"""What a stream's bytes say: events in our vocabulary, the same however the bytes were cut.

What no one could read is a failure, and so is an end that the model did not announce.
"""

import json
from collections.abc import Iterator
from typing import Any

from metering.errors import ModelFailure
from metering.transports.dialect import Reader
from metering.transports.events import Finished, ModelEvent, ReasoningDelta, TextDelta, UsageReport
from metering.transports.failures import failure_in_stream
from metering.transports.lines import EventLines, ServerEvent, TooLong
from metering.transports.requests import ChatRequest
from metering.transports.thinking import ThinkTags

DONE = "[DONE]"
# No text in the ten languages has so many bytes to a token on average. More than that, in more deltas than tokens
# were allowed, comes from a server that does not keep the limit.
MOST_BYTES_A_TOKEN = 6


class Reading:
    """Feed it the body of one answer as it arrives, then ask for its end. Raises ModelFailure."""

    def __init__(self, reader: Reader, request: ChatRequest) -> None:
        self._reader = reader
        self._cap = request.cap
        self._lines = EventLines()
        self._tags = ThinkTags()
        self._deltas = 0
        self._bytes = 0
        self._done = False

    @property
    def finished(self) -> bool:
        """The model has said how it ended: what is missing now is figures at most."""
        return self._reader.finished or self._endless

    @property
    def complete(self) -> bool:
        """Nothing of worth can follow."""
        return self._done or self._reader.complete or self._endless

    def feed(self, data: bytes) -> list[ModelEvent]:
        """Return what these bytes say: figures first, and pieces that came together as one."""
        try:
            found = self._lines.feed(data)
        except TooLong as error:
            raise ModelFailure("malformed", str(error)) from None
        return _together([event for item in found for event in self._events(item)])

    def end(self) -> Iterator[ModelEvent]:
        """Yield what was held back, and `Finished`."""
        yield from _together([event for item in self._lines.flush() for event in self._events(item)])
        yield from self._tags.flush()
        finish = Finished("length") if self._endless else self._reader.finish()
        if finish is None:
            raise ModelFailure("cut", "the stream ended and the model had not finished")
        yield finish

    @property
    def _endless(self) -> bool:
        return self._deltas > self._cap and self._bytes > MOST_BYTES_A_TOKEN * self._cap

    def _events(self, item: ServerEvent) -> Iterator[ModelEvent]:
        if item.data == DONE:
            self._done = True
            return
        for event in _read(self._reader, item.data):
            match event:
                case TextDelta(text):
                    self._count(text)
                    yield from self._tags.feed(text)
                case ReasoningDelta(text):
                    self._count(text)
                    yield event
                case _:
                    yield event

    def _count(self, text: str) -> None:
        self._deltas += 1
        self._bytes += len(text.encode("utf-8", "surrogatepass"))


def _read(reader: Reader, data: str) -> list[ModelEvent]:
    try:
        body: Any = json.loads(data)
        if body.get("error") or body.get("object") == "error":
            raise failure_in_stream(body)
        return list(reader.read(body))
    except (ValueError, RecursionError, AttributeError, KeyError, IndexError, TypeError) as error:
        raise ModelFailure("malformed", f"an event that is none of the protocol's: {type(error).__name__}") from None


def _together(events: list[ModelEvent]) -> list[ModelEvent]:
    """Return figures first, so that they are known before a text at which a reader stops; then text, joined.

    What arrived with one read is handed on with one: all that arrived is then also counted.
    """
    if len(events) < 2:
        return events
    joined: list[ModelEvent] = [event for event in events if isinstance(event, UsageReport)]
    for event in events:
        last = joined[-1] if joined else None
        match event, last:
            case (TextDelta(text), TextDelta(before)):
                joined[-1] = TextDelta(before + text)
            case (ReasoningDelta(text), ReasoningDelta(before)):
                joined[-1] = ReasoningDelta(before + text)
            case (UsageReport(), _):
                pass
            case _:
                joined.append(event)
    return joined


def figure(value: object) -> int | None:
    """Return a count of tokens, or None where it is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
