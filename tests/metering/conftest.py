"""Shared by the ledger's tests."""

import pytest
from django.db import connections


@pytest.fixture
def cap(settings):
    """Set the environment's ceiling, in micro-USD."""

    def set_cap(micro_usd: int) -> None:
        from decimal import Decimal

        settings.TRAVA = settings.TRAVA.model_copy(update={"MONTHLY_CAP_USD": Decimal(micro_usd) / 1_000_000})

    return set_cap


@pytest.fixture
def execute():
    """Run a statement of the test's own, to break what the code under test needs."""

    def run(sql: str) -> None:
        with connections["default"].cursor() as cursor:
            cursor.execute(sql)

    return run
