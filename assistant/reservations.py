"""Holding and settling from a coroutine: neither is lost where the task is cancelled meanwhile.

The ledger commits what it books, whatever transaction the turn runs in.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from uuid import UUID

from assistant.database import committed
from metering import ledger
from metering.errors import MeteringError
from metering.prices import Usage


async def hold(reserve: Callable[[], UUID]) -> UUID:
    """Reserve on a database thread; who is cancelled meanwhile has used nothing, and holds nothing."""
    holding = asyncio.ensure_future(committed(reserve))
    try:
        return await asyncio.shield(holding)
    except asyncio.CancelledError:
        with suppress(MeteringError):
            await settle(await holding)
        raise


async def settle(reservation: UUID, *usages: Usage) -> int:
    """Charge what was used, also while the task is being cancelled; return micro-USD. Raises LedgerUnavailable."""
    return await asyncio.shield(asyncio.ensure_future(committed(ledger.settle, reservation, *usages)))
