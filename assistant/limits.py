"""How many questions one address may ask in a minute, an hour and a day.

The limits live in Redis, shared by all processes. Where Redis cannot be reached they let the question through and
count that (`trava_rate_limiter_unreachable_total`): the spend cap, which fails closed, still holds.
"""

import asyncio
import math
import time
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from django.conf import settings
from limits import RateLimitItem, parse_many
from limits.aio.storage import RedisStorage
from limits.aio.strategies import MovingWindowRateLimiter
from limits.errors import StorageError

from assistant.metrics import RATE_LIMITER_UNREACHABLE

PATIENCE = 0.5  # seconds that a question waits for Redis before it passes unchecked


@dataclass(frozen=True, slots=True)
class LimitExceeded:
    """One of the limits is reached; after `retry_after` seconds the next question passes."""

    retry_after: int


_limiters: WeakKeyDictionary[asyncio.AbstractEventLoop, MovingWindowRateLimiter] = WeakKeyDictionary()


async def check(*buckets: str) -> LimitExceeded | None:
    """Count one question of each bucket (an address by `assistant.addresses`, an API key) against every limit."""
    try:
        async with asyncio.timeout(PATIENCE):
            for bucket in buckets:
                if exceeded := await _count(_limiter(), bucket):
                    return exceeded
            return None
    except (StorageError, OSError):  # TimeoutError is an OSError
        RATE_LIMITER_UNREACHABLE.inc()
        return None


async def _count(limiter: MovingWindowRateLimiter, bucket: str) -> LimitExceeded | None:
    # The shortest window first: a question that it stops is not counted against the day.
    for limit in sorted(parse_many(settings.TRAVA.RATE_LIMITS), key=RateLimitItem.get_expiry):
        if not await limiter.hit(limit, bucket):
            free_at = (await limiter.get_window_stats(limit, bucket)).reset_time
            return LimitExceeded(retry_after=max(1, math.ceil(free_at - time.time())))
    return None


def _limiter() -> MovingWindowRateLimiter:
    """One client an event loop: its connections belong to the loop."""
    loop = asyncio.get_running_loop()
    if loop not in _limiters:
        url = settings.TRAVA.REDIS_URL.get_secret_value().replace("unix://", "redis+unix://", 1)
        storage = RedisStorage(f"async+{url}", wrap_exceptions=True, implementation="redispy")
        _limiters[loop] = MovingWindowRateLimiter(storage)
    return _limiters[loop]
