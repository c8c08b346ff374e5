"""The one way from a coroutine to the ORM: a bounded pool of threads with connections from psycopg's pool.

Django's own bridge is thread-sensitive: outside a request all its calls queue on a single thread, and a turn
would wait for every other reader's.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.db import connections

P = ParamSpec("P")
T = TypeVar("T")

THREADS = 12  # below the connection pool's 16, so that requests outside of turns find one too
_executor = ThreadPoolExecutor(THREADS, thread_name_prefix="orm")


async def in_database(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `function` on a database thread and give its connection back afterwards."""

    def run() -> T:
        try:
            return function(*args, **kwargs)
        finally:
            connections.close_all()

    return await asyncio.get_running_loop().run_in_executor(_executor, run)
