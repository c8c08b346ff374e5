"""Holding and settling from a coroutine: neither is lost where the task is cancelled meanwhile.

The ledger commits what it books, whatever transaction the turn runs in.
"""

import asyncio
from collections.abc import Callable
from uuid import UUID

from assistant.cancelling import to_its_end
from assistant.database import committed
from metering import ledger
from metering.errors import MeteringError
from metering.prices import Usage


async def hold(reserve: Callable[[], UUID]) -> UUID:
    """Reserve on a database thread; who is cancelled meanwhile has used nothing, and holds nothing."""
    return await to_its_end(committed(reserve), settle, (MeteringError,))


async def settle(reservation: UUID, *usages: Usage) -> int:
    """Charge what was used, also while the task is being cancelled; return micro-USD. Raises LedgerUnavailable."""
    return await asyncio.shield(asyncio.ensure_future(committed(ledger.settle, reservation, *usages)))
