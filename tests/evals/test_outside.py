"""The doctor tells whether what runs elsewhere answers, takes the key and has a price."""

from decimal import Decimal

import pytest
from pydantic import SecretStr

import metering.embedders
import metering.transports
from evals.doctor import outside
from evals.doctor.finding import State
from metering.embedders import embedder
from metering.models import Charge
from tests.model_scripts import Figures, say
from tests.model_server import DIMENSIONS, ModelServer

pytestmark = pytest.mark.django_db


@pytest.fixture
def server():
    with ModelServer(say(usage=Figures(input=3)), key="right") as running:
        yield running


@pytest.fixture
def choose(settings, server, monkeypatch):
    """Configure a model at the scripted server."""
    monkeypatch.setattr(outside, "language_model", metering.transports.language_model.__wrapped__)

    def chosen(**changes):
        model = {"LLM_PROVIDER": "openai", "LLM_BASE_URL": server.url, "LLM_MODEL": "m"}
        price = {"LLM_INPUT_USD_PER_MTOK": Decimal("0.15"), "LLM_OUTPUT_USD_PER_MTOK": Decimal("0.6")}
        settings.TRAVA = settings.TRAVA.model_copy(
            update={**model, **price, "LLM_API_KEY": SecretStr("right"), **changes}
        )

    return chosen


def states(findings):
    return {finding.check: finding.state for finding in findings}


def test_without_a_model_nothing_is_asked(server):
    assert [finding.seen for finding in outside.examine()] == ["quoting: none is asked"]
    assert not server.calls


@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
def test_a_model_that_answers_takes_the_key_and_has_a_price_is_well(choose, server, protocol):
    choose(LLM_PROVIDER=protocol, LLM_TOKENIZER="byte-bpe")
    found = list(outside.model())
    assert states(found) == {"model": State.OK, "price": State.OK}
    assert found[1].seen == "m: 0.15 and 0.6 USD a million tokens read and written"
    assert {call.path for call in server.calls} == {"/v1/models"}


def test_a_wrong_key_is_a_problem_and_stands_in_no_finding(choose):
    choose(LLM_API_KEY=SecretStr("hunter2"))
    found = next(outside.model())
    assert (found.state, found.remedy) == (State.PROBLEM, "set LLM_API_KEY")
    assert "hunter2" not in str(found)


def test_nobody_there_is_a_problem(choose):
    with ModelServer() as gone:
        pass
    choose(LLM_BASE_URL=gone.url)
    found = next(outside.model())
    assert (found.state, found.remedy) == (State.PROBLEM, "start it, or set LLM_BASE_URL")


def test_a_tokenizer_that_bounds_nothing_for_sure_is_noted(choose):
    choose(LLM_TOKENIZER="other")
    assert states(outside.model())["tokenizer"] == State.NOTE


def test_a_model_without_a_price_is_a_problem(choose):
    choose(LLM_OUTPUT_USD_PER_MTOK=None)
    assert states(outside.model())["price"] == State.PROBLEM


@pytest.mark.parametrize(("dimensions", "state"), [(DIMENSIONS, State.OK), (384, State.PROBLEM)])
def test_the_embedder_is_asked_for_one_vector_that_is_booked(choose, server, monkeypatch, dimensions, state):
    monkeypatch.setattr(metering.embedders, "_made", {})
    choose(
        EMBEDDER="openai",
        EMBEDDING_BASE_URL=server.url,
        EMBEDDING_MODEL="e",
        EMBEDDING_API_KEY=SecretStr("right"),
        EMBEDDING_DIMENSIONS=dimensions,
        EMBEDDING_USD_PER_MTOK=Decimal(1),
    )
    assert states(outside.embedder()) == {"embedding price": State.OK, "embedding": state}
    assert Charge.objects.get().input_tokens == 3
    embedder().close()
