"""Shared by the tests of the entrances: a small site, a scripted provider, and limits without a past."""

from collections.abc import AsyncIterator, Callable
from datetime import date

import pytest
import pytest_asyncio
from django.test import AsyncClient
from limits.aio.storage import RedisStorage
from limits.aio.storage.redis.redispy import RedispyBridge

from assistant import limits
from records.models import Owner, Record, RecordText
from records.publishing import publish
from tests.assistant.scripted import Scripted

GAUGES = (
    "The tide gauge at Holm Quay reports the water level every six minutes. "
    "Its battery lasted 412 days in the winter of 2021. "
    "The mast was repaired by the harbour crew after the storm."
)


@pytest.fixture
def small_site(transactional_db: None) -> None:
    """An owner and one article about a tide gauge."""
    Owner.objects.create(pk=1, name="Livia Aramesh", aliases=["Livia"])
    article = Record.objects.create(kind="article", slug="gauge", start=date(2022, 1, 1), start_precision="year")
    RecordText.objects.create(record=article, language="en", title="A tide gauge in winter", body=GAUGES)
    publish(article)


@pytest.fixture
def worded_by(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Scripted]:
    """Put a scripted provider at the provider's seam."""

    def choose(*steps) -> Scripted:
        script = Scripted(*steps)
        monkeypatch.setattr("assistant.turn.provider", lambda: script)
        return script

    return choose


@pytest_asyncio.fixture
async def fresh_limits(valkey) -> AsyncIterator[None]:
    """No question was asked before this test, and its connections do not outlive it."""
    yield
    for limiter in limits._limiters.values():
        storage = limiter.storage
        assert isinstance(storage, RedisStorage)
        assert isinstance(storage.bridge, RedispyBridge)
        await storage.bridge.storage.aclose()
    limits._limiters.clear()


@pytest.fixture
def browser_client() -> AsyncClient:
    """A browser without a past."""
    return AsyncClient()
