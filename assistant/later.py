"""Work that goes on after whoever began it has gone: for what nobody should wait for."""

import asyncio
from collections.abc import Coroutine
from typing import Any

_running: set[asyncio.Task[Any]] = set()


def later(work: Coroutine[Any, Any, Any]) -> None:
    """Run it to its end on this loop; it has to deal with its own failures."""
    task = asyncio.ensure_future(work)
    _running.add(task)  # the loop itself keeps no reference
    task.add_done_callback(_running.discard)
