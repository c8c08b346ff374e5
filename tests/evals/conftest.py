"""Shared by the tests of evaluation."""

from collections.abc import Iterator

import pytest
from asgiref.sync import SyncToAsync
from django.db import connections


@pytest.fixture(autouse=True)
def give_back_connections() -> Iterator[None]:
    """Close what Django's one thread for coroutines holds: the test database could not be dropped otherwise."""
    yield
    SyncToAsync.single_thread_executor.submit(connections.close_all).result()
