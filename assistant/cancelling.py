"""What a database thread has begun goes to its end, whoever is cancelled meanwhile: it is undone or finished then."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")


async def to_its_end(
    work: Awaitable[T], if_cancelled: Callable[[T], Awaitable[object]], failing: tuple[type[Exception], ...]
) -> T:
    """Return what `work` gives, or raise what it raises.

    Where the task is cancelled meanwhile, its result goes to `if_cancelled` before the task ends; what either may fail
    with (`failing`) leaves nothing to do.
    """
    begun = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(begun)
    except asyncio.CancelledError:
        with suppress(*failing):
            await if_cancelled(await begun)
        raise
