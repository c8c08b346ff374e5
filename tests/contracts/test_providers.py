"""Every provider keeps the contract: the quoting one, and both protocols with a scripted and a real server."""

import time
from contextlib import aclosing
from decimal import Decimal

import pytest
from asgiref.sync import sync_to_async

from assistant.providers.hosted import Hosted
from assistant.providers.quoting import Quoting
from metering.transports.events import TextDelta
from metering.transports.model import LanguageModel
from metering.transports.patience import Patience
from metering.transports.requests import ChatRequest, Message
from tests import llama_server
from tests.contracts.providers import ProviderContract
from tests.metering.transports.chats import chat, hear
from tests.model_scripts import Figures, Thought, say
from tests.model_server import ModelServer

ANSWER = "Snow melts [1]."
PRICES = {"LLM_MODEL": "scripted-1", "LLM_INPUT_USD_PER_MTOK": Decimal(1), "LLM_OUTPUT_USD_PER_MTOK": Decimal(4)}
SLOW = Patience(connect=10, first_byte=300, between=60, retry=1)  # a busy core reads ten tokens a second
LONG = ChatRequest("", (Message("user", "Say it again."),), 400)

real = pytest.mark.skipif(not llama_server.available(), reason="no wheel of the model server for this machine")


@pytest.fixture
def asked():
    """Call what reads the database from a coroutine, in the thread of the test's transaction."""
    return lambda function, *given: sync_to_async(function)(*given)


@pytest.fixture(autouse=True)
def priced(settings):
    settings.TRAVA = settings.TRAVA.model_copy(update=PRICES)


@pytest.fixture(params=["openai", "anthropic"])
def protocol(request):
    return request.param


async def _hosted(protocol, root, key):
    talk = chat(protocol, f"{root}/v1", key, SLOW)
    yield Hosted(
        protocol, LanguageModel("scripted-1", talk, byte_level=True), max_output_tokens=40, reasoning_tokens=20
    )
    await talk.close()


class TestQuoting(ProviderContract):
    @pytest.fixture
    def provider(self):
        return Quoting()


class TestScripted(ProviderContract):
    @pytest.fixture(params=[Figures(input=60, output=9, cached=20), Figures(input=60), None])
    def usage(self, request):
        return request.param

    @pytest.fixture
    async def provider(self, protocol, usage):
        with ModelServer(say(Thought("hm"), "Snow", " melts", " [1].", usage=usage), key="right") as server:
            async for made in _hosted(protocol, server.root, "right"):
                yield made


def real_chat(protocol, root, key=llama_server.KEY):
    return chat(protocol, f"{root}/v1", key, SLOW)


@pytest.fixture(scope="module")
def short():
    with llama_server.serving(f'root ::= "{ANSWER}"') as url:
        yield url


@pytest.fixture(scope="module")
def endless():
    with llama_server.serving('root ::= "Snow melts " root') as url:
        yield url


@real
class TestLlamaCpp(ProviderContract):
    @pytest.fixture
    async def provider(self, protocol, short):
        async for made in _hosted(protocol, short, llama_server.KEY):
            yield made


@real
async def test_a_real_server_reports_what_it_used(protocol, short):
    outcome = await hear(real_chat(protocol, short))
    assert (outcome.text, outcome.finish, outcome.failure) == (ANSWER, "stop", "")
    read, written, _, _ = outcome.figures
    assert 10 < read < 100
    assert 5 < written <= len(ANSWER) + 2


@real
async def test_a_real_server_refuses_a_wrong_key(protocol, short):
    outcome = await hear(real_chat(protocol, short, "wrong"))
    assert (outcome.failure, outcome.figures[:2]) == ("key", (0, 0))


@real
async def test_a_real_server_refuses_a_prompt_that_is_too_long(protocol, short):
    request = ChatRequest("", (Message("user", "snow " * 2 * llama_server.CONTEXT),), 10)
    outcome = await hear(real_chat(protocol, short), request)
    assert (outcome.failure, outcome.figures[:2]) == ("rejected", (0, 0))


@real
async def test_a_real_server_keeps_the_limit_and_says_so(protocol, endless):
    request = ChatRequest("", (Message("user", "Say it again."),), 6)
    outcome = await hear(real_chat(protocol, endless), request)
    assert (outcome.finish, outcome.figures[1]) == ("length", 6)


@real
async def test_a_real_server_stops_when_its_reader_leaves(protocol, endless):
    talk = real_chat(protocol, endless)
    async with aclosing(talk.stream(LONG)) as events:
        async for event in events:
            if isinstance(event, TextDelta):
                break
        assert llama_server.is_generating(endless)
    began = time.monotonic()
    while llama_server.is_generating(endless):
        assert time.monotonic() - began < 5, "it goes on"  # the whole answer would take longer
    await talk.close()
