"""Three limits an address, let through when Redis is gone and kept again when it is back."""

import asyncio
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import redis
from pydantic import SecretStr

from assistant.addresses import bucket
from assistant.limits import PATIENCE, LimitExceeded, check
from assistant.metrics import RATE_LIMITER_UNREACHABLE
from launcher.process import wait_until
from launcher.valkey import Valkey

pytestmark = pytest.mark.usefixtures("fresh_limits")


@pytest.fixture
def environment(settings):
    def change(**values) -> None:
        settings.TRAVA = settings.TRAVA.model_copy(update=values)

    return change


@pytest.fixture
def patient(monkeypatch):
    """Wait for Redis however busy the machine is: what is tried is the counting."""
    monkeypatch.setattr("assistant.limits.PATIENCE", 30.0)


async def outcomes(times: int, bucket: str = "192.0.2.1") -> list[LimitExceeded | None]:
    return [await check(bucket) for _ in range(times)]


@pytest.mark.usefixtures("patient")
async def test_the_shortest_limit_stops_first_and_says_for_how_long(environment):
    environment(RATE_LIMITS="2/minute;60/hour;200/day")
    first, second, third = await outcomes(3)
    assert first is second is None
    assert third is not None
    assert 1 <= third.retry_after <= 60


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize(("limits", "longest"), [("2/hour", 3600), ("2/day", 86_400), ("200/day;2/hour", 3600)])
async def test_each_limit_holds(environment, limits, longest):
    environment(RATE_LIMITS=limits)
    *passed, stopped = await outcomes(3)
    assert passed == [None, None]
    assert 60 < stopped.retry_after <= longest


@pytest.mark.usefixtures("patient")
async def test_what_the_minute_stops_is_not_counted_against_the_day(environment):
    environment(RATE_LIMITS="1/minute;3/day")
    await outcomes(5)
    environment(RATE_LIMITS="3/day")
    assert [bool(outcome) for outcome in await outcomes(3)] == [False, False, True]


@pytest.mark.usefixtures("patient")
async def test_addresses_do_not_share(environment):
    environment(RATE_LIMITS="1/minute")
    assert await check("192.0.2.1") is None
    assert await check("192.0.2.2") is None
    assert await check("192.0.2.1") is not None


@pytest.mark.usefixtures("patient")
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


@pytest.mark.usefixtures("patient")
async def test_the_addresses_of_one_ipv6_network_share_one_limit(environment):
    environment(RATE_LIMITS="5/minute")
    neighbours = [f"2001:db8:1:2:{number:x}::{number:x}" for number in range(1, 10_001)]
    assert len({bucket(address, []) for address in neighbours}) == 1
    passed = [await check(bucket(address, [])) for address in neighbours[:: len(neighbours) // 20]]
    assert passed.count(None) == 5
    assert await check(bucket("2001:db8:1:3::1", [])) is None


@pytest.mark.usefixtures("patient")
async def test_a_forged_header_changes_nothing(environment):
    environment(RATE_LIMITS="3/minute", TRUSTED_PROXIES=1)
    forged = [f"198.51.100.{number}, 203.0.113.9" for number in range(10)]
    passed = [await check(bucket("10.0.0.1", [header])) for header in forged]
    assert passed.count(None) == 3
    environment(TRUSTED_PROXIES=0)
    passed = [await check(bucket("192.0.2.1", [f"198.51.100.{number}"])) for number in range(10)]
    assert passed.count(None) == 3


@pytest.fixture
def valkey_of_its_own(tmp_path):
    return Valkey.at(tmp_path)


@contextmanager
def running(server: Valkey) -> Iterator[None]:
    """Run the server and stop it; its port stays the same."""
    server.program.before()
    with server.log.open("ab") as log:
        process = subprocess.Popen([str(part) for part in server.program.command], cwd=server.data, stdout=log)
    try:
        assert wait_until(server.program.ready, 30)
        yield
    finally:
        process.terminate()
        process.wait(30)


@pytest.mark.usefixtures("patient")
async def test_redis_that_stops_lets_questions_through_and_counts_again_when_it_is_back(environment, valkey_of_its_own):
    environment(RATE_LIMITS="2/hour", REDIS_URL=SecretStr(valkey_of_its_own.url))
    unreachable = RATE_LIMITER_UNREACHABLE._value.get
    before = unreachable()
    with running(valkey_of_its_own):
        assert [bool(outcome) for outcome in await outcomes(3)] == [False, False, True]
        assert unreachable() == before
    assert await outcomes(3) == [None, None, None]
    assert unreachable() == before + 3
    with running(valkey_of_its_own):
        with redis.Redis.from_url(valkey_of_its_own.url) as client:
            assert client.ping()
        assert (await check("192.0.2.1")) is not None, "what was counted before it stopped still counts"
        assert unreachable() == before + 3
