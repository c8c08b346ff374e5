"""The one way from a coroutine to the ORM: a bounded pool of threads with connections from psycopg's pool.

Django's own bridge is thread-sensitive: outside a request all its calls queue on a single thread, and a turn
would wait for every other reader's.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from contextvars import ContextVar, copy_context
from typing import ParamSpec, TypeVar

from django.db import connections

P = ParamSpec("P")
T = TypeVar("T")

THREADS = 12  # below the connection pool's 16, so that requests outside of turns find one too
_executor = ThreadPoolExecutor(THREADS, thread_name_prefix="orm")


_own: ContextVar[ThreadPoolExecutor | None] = ContextVar("own_thread", default=None)


async def in_database(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `function` on a database thread and give its connection back afterwards; within `own_thread`, on that one."""
    own = _own.get()
    if own is None:
        return await committed(function, *args, **kwargs)
    context = copy_context()
    return await asyncio.get_running_loop().run_in_executor(own, lambda: context.run(function, *args, **kwargs))


async def committed(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `function` on a thread of the pool whatever transaction is held open: what it writes outlives that."""

    def run() -> T:
        try:
            return function(*args, **kwargs)
        finally:
            connections.close_all()

    return await asyncio.get_running_loop().run_in_executor(_executor, run)


@asynccontextmanager
async def own_thread() -> AsyncGenerator[None, None]:
    """Keep one thread and one connection for this task and those it starts, so that a transaction may span many calls.

    They run there one after the other, in the task's context. Left open, a transaction is rolled back.
    """
    with ThreadPoolExecutor(1, thread_name_prefix="orm-own") as thread:
        before = _own.set(thread)
        try:
            yield
        finally:
            await in_database(connections.close_all)
            _own.reset(before)
