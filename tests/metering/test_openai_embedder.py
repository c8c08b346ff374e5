"""An embedder elsewhere keeps the contract, is charged by its own figures, and says clearly what is wrong."""

from decimal import Decimal

import pytest
from pydantic import SecretStr

import metering.embedders
from metering.embedders import Told, embedder
from metering.embedders.openai import BATCH, OpenAIEmbedder
from metering.embedding import embed_passages, embed_queries, embed_query
from metering.errors import EmbeddingUnavailable
from metering.models import Charge, Reservation
from tests.contracts.embedders import EmbedderContract
from tests.model_scripts import Figures, fail, say
from tests.model_server import DIMENSIONS, ModelServer


@pytest.fixture
def server():
    with ModelServer(say(usage=Figures(input=3)), key="right") as running:
        yield running


def made(server, key="right", dimensions=DIMENSIONS):
    return OpenAIEmbedder(f"openai:m/{dimensions}", server.url, "m", key, dimensions)


@pytest.fixture
def outside(server):
    used = made(server)
    yield used
    used.close()


class TestOpenAIEmbedder(EmbedderContract):
    @pytest.fixture
    def embedder(self, outside):
        return outside


def test_many_texts_are_a_few_calls_and_their_figures_a_sum(outside, server):
    told = Told()
    assert len(outside.passages(["salt"] * (BATCH + 1), told).result(60)) == BATCH + 1
    assert (len(server.calls), told.tokens) == (2, 6)
    assert server.calls[0].body["encoding_format"] == "float"


def test_a_call_that_reports_nothing_leaves_it_open(outside, server):
    server.will_say(say(usage=Figures(input=3)), say(usage=None))
    told = Told()
    outside.passages(["salt"] * (BATCH + 1), told).result(60)
    assert told.tokens is None


def refusal(used, told=None):
    with pytest.raises(EmbeddingUnavailable) as failure:
        used.query("hunter2?", told).result(60)
    used.close()
    assert "hunter2" not in str(failure.value)
    return str(failure.value)


def test_vectors_of_another_length_are_refused_with_both_figures(server):
    assert "32 places, and EMBEDDING_DIMENSIONS is 384" in refusal(made(server, dimensions=384))


def test_a_wrong_key_is_told_and_free(server):
    told = Told()
    assert "key" in refusal(made(server, key="wrong"), told)
    assert told.tokens == 0


def test_an_overloaded_server_is_told(server):
    server.will_say(fail(503, "overloaded"))
    assert "overloaded" in refusal(made(server))


def test_nobody_there_is_told():
    with ModelServer() as gone:
        pass
    assert "unreachable" in refusal(made(gone))


@pytest.fixture
def chosen(settings, server, monkeypatch):
    monkeypatch.setattr(metering.embedders, "_made", {})
    settings.TRAVA = settings.TRAVA.model_copy(
        update={
            "EMBEDDER": "openai",
            "EMBEDDING_BASE_URL": server.url,
            "EMBEDDING_MODEL": "m",
            "EMBEDDING_API_KEY": SecretStr("right"),
            "EMBEDDING_DIMENSIONS": DIMENSIONS,
            "EMBEDDING_USD_PER_MTOK": Decimal(10_000),
        }
    )
    yield
    embedder().close()


@pytest.mark.django_db
def test_it_is_charged_what_it_reported(chosen, server):
    assert len(embed_query("salt", "turn-1")) == DIMENSIONS
    charge = Charge.objects.get()
    assert (charge.model, charge.input_tokens, charge.reported) == ("openai:m/32", 3, True)
    assert charge.micro_usd == 30_000
    assert Reservation.objects.get().micro_usd == (2 * 4 + 8) * 10_000


@pytest.mark.django_db
def test_what_reports_nothing_is_charged_its_bound(chosen, server):
    server.will_say(say(usage=None))
    embed_queries(["salt", "bread"], "background")
    charge = Charge.objects.get()
    assert (charge.input_tokens, charge.reported) == (2 * 9 + 2 * 8, False)


@pytest.mark.django_db
def test_a_refused_call_is_charged_nothing(chosen, server):
    server.will_say(fail(429, "rate_limit_error"))
    with pytest.raises(EmbeddingUnavailable):
        embed_passages(["salt"], "version 1")
    assert Charge.objects.get().micro_usd == 0
    assert Reservation.objects.get().state == "settled"
