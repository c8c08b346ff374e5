"""One thread that does calls in order, with a bounded line before it.

The engine below must never be entered twice at once, and a reader rather searches by keyword now than by
vector in a minute.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import BoundedSemaphore
from typing import TypeVar

from metering.errors import EmbeddingUnavailable

T = TypeVar("T")


class Line:
    """Runs calls one after another; raises EmbeddingUnavailable while `length` of them wait or run."""

    def __init__(self, name: str, length: int) -> None:
        self._length = length
        self._places = BoundedSemaphore(length)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)

    def submit(self, call: Callable[[], T]) -> Future[T]:
        """Queue a call; a cancelled or finished one gives its place back."""
        if not self._places.acquire(blocking=False):
            raise EmbeddingUnavailable(f"{self._length} calls are waiting already")
        future = self._thread.submit(call)
        future.add_done_callback(lambda _: self._places.release())
        return future
