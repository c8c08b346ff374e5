"""What the two protocols have of their own: how a call is opened by the SDK, and what their events mean.

`metering.transports.chat` does the rest, the same for both.
"""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from typing import Any, Generic, Protocol, TypeVar
from weakref import WeakKeyDictionary

from metering.transports.events import Finished, ModelEvent
from metering.transports.requests import ChatRequest

T = TypeVar("T")


class Response(Protocol):
    """An answer under way, as both SDKs hand it out."""

    def iter_bytes(self) -> AsyncIterator[bytes]:
        """Yield the body as it arrives."""
        ...


class Reader(Protocol):
    """Reads the events of one stream. A finish is held back to the end, for figures follow it."""

    @property
    def finished(self) -> bool:
        """The model has said how it ended."""
        ...

    @property
    def complete(self) -> bool:
        """The protocol's own last event was read."""
        ...

    def read(self, data: dict[str, Any]) -> Iterator[ModelEvent]:
        """Yield what an event says; raise ModelFailure where it tells of one."""
        ...

    def finish(self) -> Finished | None:
        """Return how the model ended, or None where it has not said; raise ModelFailure where it was made to."""
        ...


class Dialect(Protocol):
    """One protocol. An SDK's errors come out as they are, HTTP errors of an open stream as the client's."""

    @property
    def errors(self) -> tuple[type[Exception], ...]:
        """The SDK's own."""
        ...

    def open(self, request: ChatRequest) -> AbstractAsyncContextManager[Response]:
        """Send the request; leaving the context closes the connection."""
        ...

    def reader(self) -> Reader:
        """Return a reader for a new stream."""
        ...

    async def check(self) -> None:
        """Make a call that costs nothing and needs the key."""
        ...

    async def close(self) -> None:
        """Close the connections that are kept for later calls of this event loop."""
        ...


class PerLoop(Generic[T]):
    """One client for each event loop: a pool of connections belongs to the loop that opened them.

    The first is made with this: it reads certificates, which no event loop should wait for.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._made: WeakKeyDictionary[Any, T] = WeakKeyDictionary()
        self._spare: T | None = make()

    def of(self, loop: Any) -> T:
        """Return the loop's own."""
        if loop not in self._made:
            self._made[loop], self._spare = self._spare or self._make(), None
        return self._made[loop]

    def take(self, loop: Any) -> T | None:
        """Return and forget the loop's own."""
        return self._made.pop(loop, None)
