"""The one way from a coroutine to the ORM: bounded pools of threads with connections from psycopg's pool.

Django's own bridge is thread-sensitive: outside a request all its calls queue on a single thread, and a turn
would wait for every other reader's. What waits for an embedder has threads of its own, so that no sentence stands
behind it.

A thread keeps its connection from one visit to the next, since taking one from the pool and asking it whether it is
alive costs more than most statements. After a pause, or as soon as any thread's connection failed, it goes back
to the pool, which hands out only what answers: so the site finds its way back when PostgreSQL was gone.
"""

import asyncio
import threading
import time
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
TRUSTED = 1.0  # seconds after its last use for which a connection is taken to be alive
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
    return await asyncio.get_running_loop().run_in_executor(executor, _on_kept_connection, call)


class _Kept(threading.local):
    """When this thread last used its connection."""

    used = 0.0


_kept = _Kept()
_last_failure = 0.0  # when a connection of some thread failed last; all times are of `time.monotonic`


def _on_kept_connection(call: Callable[[], T]) -> T:
    if _kept.used < max(_last_failure, time.monotonic() - TRUSTED):
        connections.close_all()
    try:
        return call()
    finally:
        _keep_or_give_back()


def _keep_or_give_back() -> None:
    global _last_failure
    _kept.used = time.monotonic()
    if any(connection.errors_occurred for connection in connections.all(initialized_only=True)):
        _last_failure = _kept.used
        connections.close_all()
