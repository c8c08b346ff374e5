"""The one way from a coroutine to the ORM: bounded pools of threads with connections from psycopg's pool.

Django's own bridge is thread-sensitive: outside a request all its calls queue on a single thread, and a turn
would wait for every other reader's. What waits for an embedder has threads of its own, so that no sentence stands
behind it.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from contextvars import ContextVar, copy_context
from functools import partial
from typing import ParamSpec, TypeVar

from django.db import connections

P = ParamSpec("P")
T = TypeVar("T")

# Together below the connection pool's size (config/environment.py), so that requests outside of turns find one too.
THREADS = 8
SEARCHING_THREADS = 8
_executor = ThreadPoolExecutor(THREADS, thread_name_prefix="orm")
_searching = ThreadPoolExecutor(SEARCHING_THREADS, thread_name_prefix="orm-search")
_own: ContextVar[ThreadPoolExecutor | None] = ContextVar("own_thread", default=None)


async def in_database(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `function` on a database thread; within `own_thread`, on that one."""
    return await _within(_executor, partial(function, *args, **kwargs))


async def in_search(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """As `in_database`, for what may wait for an embedder."""
    return await _within(_searching, partial(function, *args, **kwargs))


async def committed(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """As `in_database`, whatever transaction `own_thread` holds open: what it writes outlives that."""
    return await _visit(_executor, partial(function, *args, **kwargs))


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


async def _within(executor: ThreadPoolExecutor, call: Callable[[], T]) -> T:
    own = _own.get()
    if own is None:
        return await _visit(executor, call)
    context = copy_context()
    return await asyncio.get_running_loop().run_in_executor(own, lambda: context.run(call))


async def _visit(executor: ThreadPoolExecutor, call: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(executor, _giving_back, call)


def _giving_back(call: Callable[[], T]) -> T:
    try:
        return call()
    finally:
        connections.close_all()
