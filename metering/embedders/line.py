"""Threads that do calls in order, with a bounded line before them: a reader rather searches by keyword now than by
vector in a minute. One thread, the default, for an engine that must never be entered twice at once.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import BoundedSemaphore
from typing import TypeVar

from metering.errors import EmbeddingUnavailable

T = TypeVar("T")


class Line:
    """Runs `threads` calls at a time; raises EmbeddingUnavailable while `length` of them wait or run."""

    def __init__(self, name: str, length: int, threads: int = 1) -> None:
        self._length = length
        self._places = BoundedSemaphore(length)
        self._threads = ThreadPoolExecutor(max_workers=threads, thread_name_prefix=name)

    def submit(self, call: Callable[[], T]) -> Future[T]:
        """Queue a call; a cancelled or finished one gives its place back."""
        if not self._places.acquire(blocking=False):
            raise EmbeddingUnavailable(f"{self._length} calls are waiting already")
        future = self._threads.submit(call)
        future.add_done_callback(lambda _: self._places.release())
        return future
