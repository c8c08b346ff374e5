"""Three limits an address, let through when Redis is gone and kept again when it is back."""

import asyncio
import socket

import pytest
from pydantic import SecretStr

from assistant.limits import PATIENCE, LimitExceeded, check
from assistant.metrics import RATE_LIMITER_UNREACHABLE

pytestmark = pytest.mark.usefixtures("fresh_limits")


@pytest.fixture
def environment(settings):
    def change(**values) -> None:
        settings.TRAVA = settings.TRAVA.model_copy(update=values)

    return change


async def outcomes(times: int, bucket: str = "192.0.2.1") -> list[LimitExceeded | None]:
    return [await check(bucket) for _ in range(times)]


async def test_the_shortest_limit_stops_first_and_says_for_how_long(environment):
    environment(RATE_LIMITS="2/minute;60/hour;200/day")
    first, second, third = await outcomes(3)
    assert first is second is None
    assert third is not None
    assert 1 <= third.retry_after <= 60


@pytest.mark.parametrize(("limits", "longest"), [("2/hour", 3600), ("2/day", 86_400), ("200/day;2/hour", 3600)])
async def test_each_limit_holds(environment, limits, longest):
    environment(RATE_LIMITS=limits)
    *passed, stopped = await outcomes(3)
    assert passed == [None, None]
    assert 60 < stopped.retry_after <= longest


async def test_what_the_minute_stops_is_not_counted_against_the_day(environment):
    environment(RATE_LIMITS="1/minute;3/day")
    await outcomes(5)
    environment(RATE_LIMITS="3/day")
    assert [bool(outcome) for outcome in await outcomes(3)] == [False, False, True]


async def test_addresses_do_not_share(environment):
    environment(RATE_LIMITS="1/minute")
    assert await check("192.0.2.1") is None
    assert await check("192.0.2.2") is None
    assert await check("192.0.2.1") is not None


async def test_questions_at_once_do_not_pass_together(environment):
    environment(RATE_LIMITS="5/minute")
    results = await asyncio.gather(*(check("192.0.2.1") for _ in range(20)))
    assert results.count(None) == 5


@pytest.fixture
def closed_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


async def test_without_redis_the_question_passes_and_that_is_counted(environment, closed_port):
    environment(RATE_LIMITS="1/minute", REDIS_URL=SecretStr(f"redis://127.0.0.1:{closed_port}/0"))
    before = RATE_LIMITER_UNREACHABLE._value.get()
    assert await outcomes(3) == [None, None, None]
    assert RATE_LIMITER_UNREACHABLE._value.get() == before + 3


async def test_a_redis_that_hangs_holds_a_question_up_only_for_a_moment(environment):
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        environment(REDIS_URL=SecretStr(f"redis://127.0.0.1:{silent.getsockname()[1]}/0"))
        async with asyncio.timeout(PATIENCE * 10):
            assert await check("192.0.2.1") is None
