"""Server-sent events, read from bytes as they come: cut anywhere, the events are the same. Linear in the bytes.

It follows the WHATWG's event stream format, without ids and retry times, which no model server needs.
"""

from dataclasses import dataclass

MAX_BYTES = 1_000_000  # of one event: no delta is that long


class TooLong(ValueError):
    """An event does not end."""


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One event; `name` is empty where the server gives none."""

    name: str
    data: str


class EventLines:
    """Feed it bytes, take events. A comment and an event without data are nothing."""

    def __init__(self) -> None:
        self._line: list[bytes] = []  # pieces of the line that has no end yet
        self._size = 0  # bytes held: of that line and of the event that it belongs to
        self._after_return = False
        self._name = ""
        self._data: list[str] = []

    def feed(self, data: bytes) -> list[ServerEvent]:
        """Return the events that these bytes complete; raise TooLong."""
        if not data:
            return []
        begins_inside = self._after_return and data.startswith(b"\n")  # CR LF was cut in two
        self._after_return = data.endswith(b"\r")
        if b"\r" in data:
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        first, *rest = (data[1:] if begins_inside else data).split(b"\n")
        self._hold(first)
        events: list[ServerEvent] = []
        for piece in rest:
            line, self._line = b"".join(self._line), []
            if (event := self._take(line)) is not None:
                events.append(event)
            self._hold(piece)
        return events

    def flush(self) -> list[ServerEvent]:
        """Return the last event where its lines are whole and only the empty line after it is missing."""
        self._line = []
        event = self._end_event()
        return [] if event is None else [event]

    def _hold(self, piece: bytes) -> None:
        if piece:
            self._line.append(piece)
            self._size += len(piece)
            if self._size > MAX_BYTES:
                raise TooLong(f"an event of more than {MAX_BYTES} bytes")

    def _take(self, line: bytes) -> ServerEvent | None:
        if not line:
            return self._end_event()
        field, _, value = line.partition(b":")
        value = value[1:] if value.startswith(b" ") else value
        if field == b"data":
            self._data.append(value.decode("utf-8", "replace"))
        elif field == b"event":
            self._name = value.decode("utf-8", "replace")
        else:
            self._size -= len(line)  # a comment keeps the connection alive: as many as there are
        return None

    def _end_event(self) -> ServerEvent | None:
        name, data = self._name, self._data
        self._name, self._data, self._size = "", [], 0
        return ServerEvent(name, "\n".join(data)) if data else None
