"""A language model behind the seam: what it is sent, what it may cost, what a whole and a cut stream are charged by."""

from contextlib import aclosing
from dataclasses import replace
from typing import get_args

import pytest

from assistant.events import SourceReference
from assistant.evidence import Evidence
from assistant.prompts import compose
from assistant.providers import Again, Assignment, Finish, Text, Unseen, provider
from assistant.providers.hosted import Hosted
from guardrails.latch import Source
from metering.errors import ModelFailure
from metering.prices import Usage
from metering.transports.charging import OVERHEAD_TOKENS
from metering.transports.model import LanguageModel
from metering.transports.received import Received
from tests.metering.transports.chats import chat
from tests.model_scripts import CUT, Figures, Thought, fail, say
from tests.model_server import ModelServer

SOURCE = Evidence(
    source=Source(text="Snow melts at 0 °C.", language="en", title="Snow"),
    reference=SourceReference("snow", "article", "Snow", 1, "p", 0, 19, "/snow/"),
    version=1,
    from_fields=False,
)
ASSIGNMENT = Assignment("Does snow melt?", "en", "search", (SOURCE,))


@pytest.fixture(params=["openai", "anthropic"])
def server(request):
    with ModelServer() as running:
        running.protocol = request.param
        yield running


def hosted(server, reasoning=0):
    model = LanguageModel("scripted-1", chat(server.protocol, server.root + "/v1"), byte_level=True)
    return Hosted(server.protocol, model, max_output_tokens=100, reasoning_tokens=reasoning)


async def worded(made, *, pieces=1000):
    """Return what arrived, taking so many pieces of text, and what it is charged by."""
    received, text, finish, failure = Received(), [], None, ""
    try:
        async with aclosing(made.stream(ASSIGNMENT)) as stream:
            async for piece in stream:
                match piece:
                    case Finish():
                        finish = piece
                    case Unseen(event):
                        received.add(event)
                    case Text(said):
                        text.append(said)
                        received.text_bytes += len(said.encode())
                        if len(text) == pieces:
                            break
    except ModelFailure as failed:
        failure = failed.kind
    await made._model.close()
    return "".join(text), failure, finish.usage if finish else made.usage_of_cut(ASSIGNMENT, received)


def prompt_tokens(again=""):
    prompt = compose(replace(ASSIGNMENT, again=again))
    return len(prompt.system.encode()) + len(prompt.user.encode()) + OVERHEAD_TOKENS


async def test_the_model_gets_the_prompt_and_nothing_else(server):
    await worded(hosted(server, reasoning=50))
    body = server.calls[0].body
    prompt = compose(ASSIGNMENT)
    assert body["messages"][-1] == {"role": "user", "content": prompt.user}
    assert prompt.system in (body.get("system"), body["messages"][0]["content"])
    assert body["max_tokens"] == 150


async def test_reported_figures_are_what_is_charged(server):
    server.will_say(say(Thought("hm"), "Snow melts [1].", usage=Figures(input=90, output=12, cached=40)))
    assert await worded(hosted(server)) == ("Snow melts [1].", "", Usage("scripted-1", 90, 12, 0, 40))


async def test_without_figures_every_byte_is_a_token_and_reasoning_its_whole_cap(server):
    server.will_say(say(Thought("hm"), "Snow melts [1].", usage=None))
    assert (await worded(hosted(server)))[2] == Usage("scripted-1", prompt_tokens(), 17, 2, 0, reported=False)
    assert (await worded(hosted(server, 50)))[2] == Usage("scripted-1", prompt_tokens(), 65, 50, 0, reported=False)


async def test_a_part_of_the_figures_stands_and_the_rest_is_filled(server):
    server.will_say(say("Snow melts [1].", usage=Figures(input=90, cached=40)))
    assert (await worded(hosted(server)))[2] == Usage("scripted-1", 90, 15, 0, 40, reported=False)


async def test_a_cut_answer_is_charged_for_what_arrived(server):
    server.will_say(say("Snow", CUT, usage=None))
    text, failure, usage = await worded(hosted(server))
    assert (text, failure) == ("Snow", "cut")
    assert usage == Usage("scripted-1", prompt_tokens(), 4, 0, 0, reported=False)


async def test_an_answer_that_its_reader_left_is_charged_for_what_arrived(server):
    server.will_say(say("Snow", *[0.3, " melts"] * 20, usage=None))
    text, _, usage = await worded(hosted(server), pieces=1)
    assert usage == Usage("scripted-1", prompt_tokens(), len(text), 0, 0, reported=False)
    server.calls[0].wait_closed()


async def test_a_refused_call_costs_nothing(server):
    server.will_say(fail(401, "authentication_error"))
    assert await worded(hosted(server)) == ("", "key", Usage("scripted-1", 0, 0))


@pytest.mark.django_db
def test_the_bound_holds_the_longest_prompt_of_any_try_and_both_caps(settings, server):
    from decimal import Decimal

    prices = {"LLM_INPUT_USD_PER_MTOK": Decimal(1), "LLM_OUTPUT_USD_PER_MTOK": Decimal(3)}
    settings.TRAVA = settings.TRAVA.model_copy(update={"LLM_MODEL": "scripted-1"} | prices)
    longest = max(map(prompt_tokens, get_args(Again)))
    assert longest > prompt_tokens()
    assert hosted(server, reasoning=50).bound_micro_usd(ASSIGNMENT) == longest + 3 * 150


@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
def test_the_configured_protocol_is_spoken(settings, monkeypatch, protocol):
    from pydantic import SecretStr

    import assistant.providers
    import metering.transports

    monkeypatch.setattr(assistant.providers, "language_model", metering.transports.language_model.__wrapped__)
    chosen = {"LLM_PROVIDER": protocol, "LLM_BASE_URL": "http://127.0.0.1:1/v1", "LLM_MODEL": "m"}
    settings.TRAVA = settings.TRAVA.model_copy(update=chosen | {"LLM_API_KEY": SecretStr("k")})
    made = provider.__wrapped__()
    assert (made.name, made.is_model, made.speaks(ASSIGNMENT)) == (protocol, True, "en")
