"""The places in which this process streams answers: so many at once, and so many of them for one address.

A place is taken when a question is admitted and left when its answer ends. One whose question was dropped on the way,
as by a client that left between the two, is free again after UNCLAIMED seconds, or as soon as it is collected. All of
it lives on the event loop, so it needs no lock. Another process has its own places.
"""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from types import TracebackType
from typing import Self
from weakref import WeakSet, ref

from django.conf import settings

from assistant.metrics import STREAMS

AN_ADDRESS = 6  # answers at once: a household, and a person with several tabs
UNCLAIMED = 10.0  # seconds after which a place is free in which nothing began to stream
GRACE = 10.0  # seconds that running answers have to finish when the process is told to end
STOPPING = 4.0  # seconds to store and to book those that did not
LAST_WORDS = 0.5  # seconds for what has ended to reach its reader; the launcher kills later than all three together


class Place:
    """Holds one place from its making on; leave it as a context manager, or let it be collected."""

    def __init__(self, places: "Places", buckets: Iterable[str]) -> None:
        self._places = places
        self._task = asyncio.current_task()
        self._claimed = False
        self.buckets = frozenset(buckets)
        self.stopped = False

    def __enter__(self) -> Self:
        self._claimed = True
        self._places.take(self)  # it may have lapsed
        self._task = asyncio.current_task()  # that which streams need not be that which admitted
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.leave()

    def leave(self) -> None:
        """Give the place back; a second call does nothing."""
        self._places.leave(self)

    def lapse(self) -> None:
        """Give the place back where nothing began to stream in it."""
        if not self._claimed:
            self.leave()

    def stop(self) -> None:
        """Cancel what streams here; `stopped` tells it that its reader did not leave."""
        self.stopped = True
        if self._task is not None:
            self._task.cancel()


class Places:
    """All places of this process."""

    def __init__(self) -> None:
        self._taken: WeakSet[Place] = WeakSet()
        self._closing = False
        self._emptied: asyncio.Event | None = None

    def __len__(self) -> int:
        return len(self._taken)

    def enter(self, buckets: Iterable[str] = ()) -> Place | None:
        """Return a place; None where all are taken, or all that one of the buckets may have, or the process ends."""
        place = Place(self, buckets)
        if self._closing or len(self) >= settings.TRAVA.MAX_STREAMS:
            return None
        if any(self._of(bucket) >= AN_ADDRESS for bucket in place.buckets):
            return None
        self.take(place)
        asyncio.get_running_loop().call_later(UNCLAIMED, _lapse, ref(place))
        return place

    def take(self, place: Place) -> None:
        """Count a place as taken; a second call does nothing."""
        self._taken.add(place)

    def leave(self, place: Place) -> None:
        """Free a place."""
        self._taken.discard(place)
        if self._emptied is not None and not self._taken:
            self._emptied.set()

    async def drain(self) -> None:
        """Give no more places, let the answers that run finish within GRACE, then stop the others."""
        self._closing = True
        if not self._taken:
            return
        await self._until_empty(GRACE)
        for place in list(self._taken):
            place.stop()
        await self._until_empty(STOPPING)
        await asyncio.sleep(LAST_WORDS)

    async def _until_empty(self, seconds: float) -> None:
        self._emptied = asyncio.Event()
        if self._taken:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._emptied.wait(), seconds)

    def _of(self, bucket: str) -> int:
        return sum(1 for place in self._taken if bucket in place.buckets)


def _lapse(held: "ref[Place]") -> None:
    place = held()
    if place is not None:
        place.lapse()


places = Places()
STREAMS.set_function(lambda: len(places))
