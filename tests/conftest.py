"""Wiring of a test run: a database and a Valkey number of its own for every process, and hypothesis' profile.

pytest-django has read the settings by the time this is imported, so they are changed here and not only in the
environment, which is what programs started by tests see.
"""

import os
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import hypothesis
import pytest
import redis
from asgiref.sync import SyncToAsync
from django.conf import settings
from django.db import connections
from django.utils import translation

from assistant.places import places
from config.environment import read

if not (os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL")):
    raise pytest.UsageError(
        "The tests need PostgreSQL and Valkey: run `make test` (ARGS='tests/records -k search' picks some), "
        "or set DATABASE_URL and REDIS_URL."
    )

hypothesis.settings.register_profile("local", deadline=None, max_examples=60)
hypothesis.settings.register_profile("ci", deadline=None, max_examples=60, derandomize=True, database=None)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "local")


def _own_valkey_url(url: str) -> str:
    """The address with a database number that differs between the workers of a run, and hardly ever clashes
    between runs that share a server."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw")
    with redis.Redis.from_url(url) as client:
        count = int(client.config_get("databases")["databases"])
    number = 1 + (os.getppid() + int(worker) if worker else os.getpid()) % (count - 1)
    parts = urlsplit(url)
    if parts.scheme == "unix":
        return urlunsplit(parts._replace(query=f"db={number}"))
    return urlunsplit(parts._replace(path=f"/{number}"))


os.environ["REDIS_URL"] = _own_valkey_url(os.environ["REDIS_URL"])
settings.TRAVA = read()
settings.CELERY_BROKER_URL = settings.TRAVA.celery_broker_url


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Two runs on one server never share a test database."""
    test = settings.DATABASES["default"].setdefault("TEST", {})
    test["NAME"] = f"test_{settings.DATABASES['default']['NAME']}_{os.getpid()}"


@pytest.fixture(autouse=True)
def nobody_streams() -> None:
    """An answer that an earlier test left to the garbage collector holds no place in this one."""
    places._taken.clear()  # the product itself never empties it


@pytest.fixture(autouse=True)
def nobody_chose_a_language() -> None:
    """A page that an earlier test read has activated its language, as Django does for the rest of that thread."""
    translation.deactivate()


@pytest.fixture
def valkey() -> Iterator["redis.Redis[Any]"]:
    """A client on this process's own database number, empty at the start of the test."""
    with redis.Redis.from_url(os.environ["REDIS_URL"]) as client:
        client.flushdb()
        yield client


@pytest.fixture(autouse=True)
def give_back_connections() -> Iterator[None]:
    """Close what Django's one thread for coroutines holds: the test database could not be dropped otherwise."""
    yield
    SyncToAsync.single_thread_executor.submit(connections.close_all).result()
