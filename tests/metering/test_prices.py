"""Prices: bounds are never too low, dates count, and only what runs here is free."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metering.errors import LedgerUnavailable, PriceUnknown
from metering.models import ModelPrice
from metering.prices import Price, Usage, price_of

counts = st.integers(0, 10_000_000)
prices = st.builds(Price, st.integers(0, 10**9), st.integers(0, 10**9))


def test_money_is_rounded_up():
    assert Price(150_000, 600_000).cost(Usage("m", 1, 0)) == 1
    assert Price(150_000, 600_000).cost(Usage("m", 1_000_000, 1_000_000)) == 750_000
    assert Price(1, 0).cost(Usage("m", 1_000_001, 0)) == 2
    assert Price(1, 1).cost(Usage("m", 0, 0)) == 0


@given(price=prices, prompt=st.text(max_size=200), output=counts, share=st.floats(0, 1))
def test_no_call_within_its_limits_costs_more_than_the_bound(price, prompt, output, share):
    size = len(prompt.encode())
    used = Usage("m", int(size * share), int(output * share))
    assert price.cost(used) <= price.bound(size, output)


@pytest.mark.django_db
def test_a_price_holds_from_its_day_on():
    for day, cost in ((date(2026, 1, 1), 100), (date(2026, 6, 1), 70)):
        ModelPrice.objects.create(
            model="m", valid_from=day, input_micro_usd_per_mtok=cost, output_micro_usd_per_mtok=4 * cost
        )
    assert price_of("m", date(2026, 5, 31)) == Price(100, 400)
    assert price_of("m", date(2026, 6, 1)) == Price(70, 280)
    with pytest.raises(PriceUnknown, match="2025-12-31"):
        price_of("m", date(2025, 12, 31))


def test_what_runs_here_is_free_without_a_row():
    assert price_of("quoting") == price_of("bundled:anything") == Price(0, 0)


@pytest.mark.django_db
def test_a_model_without_a_price_is_not_free():
    with pytest.raises(PriceUnknown, match="gpt-x"):
        price_of("gpt-x")


@pytest.mark.django_db
def test_the_environments_price_holds_for_its_own_models_where_the_list_has_none(settings):
    figures = {"LLM_INPUT_USD_PER_MTOK": Decimal("0.15"), "LLM_OUTPUT_USD_PER_MTOK": Decimal("0.6000001")}
    embedder = {"EMBEDDING_MODEL": "e", "EMBEDDING_DIMENSIONS": 32, "EMBEDDING_USD_PER_MTOK": Decimal("0.02")}
    settings.TRAVA = settings.TRAVA.model_copy(update={"LLM_MODEL": "m"} | figures | embedder)
    assert price_of("m") == Price(150_000, 600_001)
    assert price_of("openai:e/32") == Price(20_000, 0)
    ModelPrice.objects.create(
        model="m", valid_from=date(2026, 6, 1), input_micro_usd_per_mtok=7, output_micro_usd_per_mtok=8
    )
    assert price_of("m", date(2026, 6, 1)) == Price(7, 8)
    assert price_of("m", date(2026, 5, 31)) == Price(150_000, 600_001)
    with pytest.raises(PriceUnknown):
        price_of("another")


@pytest.mark.django_db
def test_a_price_list_that_cannot_be_read_fails_closed(execute):
    execute("ALTER TABLE metering_modelprice RENAME TO gone")
    with pytest.raises(LedgerUnavailable):
        price_of("gpt-x")
