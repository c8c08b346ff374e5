"""Both protocols, spoken to a server on loopback: one vocabulary, closed at once, at most one retry."""

import time
from contextlib import aclosing

import pytest

from metering.errors import ModelFailure
from metering.transports.events import TextDelta
from metering.transports.patience import Patience
from metering.transports.requests import ChatRequest, Message
from tests.metering.transports.chats import PATIENCE, REQUEST, chat, hear
from tests.model_scripts import CUT, END, HANG, Figures, Finish, Raw, Thought, fail, say
from tests.model_server import ModelServer

HASTY = Patience(connect=5, first_byte=0.3, between=1, retry=1)
IMPATIENT = Patience(connect=5, first_byte=20, between=1, retry=1)


@pytest.fixture(params=["openai", "anthropic"])
def protocol(request):
    return request.param


@pytest.fixture
def server():
    with ModelServer() as running:
        yield running


def address(server, protocol):
    return server.url if protocol == "openai" else server.root


@pytest.fixture
def ask(server, protocol):
    """Let the server answer so, and return what came."""

    async def heard(*answers, patience=PATIENCE, request=REQUEST):
        server.will_say(*answers)
        return await hear(chat(protocol, address(server, protocol), patience=patience), request)

    return heard


async def test_text_reasoning_figures_and_the_end_are_told(ask):
    outcome = await ask(say(Thought("hm"), "Snow", " melts.", usage=Figures(input=9, output=4, cached=3)))
    assert (outcome.text, outcome.finish, outcome.failure) == ("Snow melts.", "stop", "")
    assert outcome.figures == (9, 4, None, 3)
    assert outcome.received.reasoning_bytes == 2


async def test_the_request_holds_the_prompt_the_cap_and_the_key(ask, server, protocol):
    await ask(say("Snow."), request=ChatRequest("Be brief.", (Message("user", "雪?"),), 200, 50))
    call = server.calls[0]
    assert call.body["model"] == "scripted-1"
    assert call.body["stream"] is True
    assert call.body["max_tokens"] == 250
    assert call.body["messages"][-1] == {"role": "user", "content": "雪?"}
    assert "Be brief." in (call.body.get("system"), call.body["messages"][0]["content"])
    assert "key" in (call.headers.get("x-api-key"), call.headers.get("authorization", "").removeprefix("Bearer "))


async def test_the_length_limit_is_an_end_of_its_own(ask, protocol):
    outcome = await ask(say("Snow mel", Finish("length" if protocol == "openai" else "max_tokens")))
    assert (outcome.text, outcome.finish) == ("Snow mel", "length")


async def test_thoughts_in_the_text_are_no_text_however_they_are_cut(ask):
    outcome = await ask(say("<th", "ink>let me", " see</", "think>", "Snow."))
    assert outcome.text == "Snow."
    assert outcome.received.reasoning_bytes == len("let me see")


async def test_who_leaves_closes_the_connection_at_once(server, protocol):
    server.will_say(say("Snow", *[0.05, " and more"] * 100))
    talk = chat(protocol, address(server, protocol))
    async with aclosing(talk.stream(REQUEST)) as events:
        async for event in events:
            if isinstance(event, TextDelta):
                break
    left = time.monotonic()
    closed = server.calls[0].wait_closed()
    sent = server.calls[0].sent
    await talk.close()
    assert closed - left < 1  # the bench measures it; here: not when the script ends, after five seconds
    assert sent < 3000


async def test_an_end_that_was_not_announced_is_a_cut_and_what_it_cost_is_open(ask):
    outcome = await ask(say("Snow", END, usage=None))
    assert (outcome.text, outcome.finish, outcome.failure) == ("Snow", "", "cut")
    assert outcome.figures[1] is None


async def test_a_connection_that_breaks_is_a_cut(ask):
    outcome = await ask(say("Snow", CUT))
    assert (outcome.text, outcome.failure) == ("Snow", "cut")


async def test_a_connection_that_breaks_after_the_end_broke_nothing(ask, protocol):
    outcome = await ask(say("Snow", Finish(""), CUT))
    assert (outcome.text, outcome.finish, outcome.failure) == ("Snow", "stop", "")


async def test_silence_before_the_first_byte_and_between_two_is_not_waited_out(ask):
    assert (await ask(say(hang=True), patience=HASTY)).failure == "slow"
    outcome = await ask(say("Snow", HANG), patience=IMPATIENT)
    assert (outcome.text, outcome.failure) == ("Snow", "slow")


async def test_keep_alive_comments_are_no_silence(ask):
    pauses = [0.4, Raw(b": keep-alive\n\n")] * 4
    assert (await ask(say("Snow", *pauses, "."), patience=IMPATIENT)).text == "Snow."


@pytest.mark.parametrize(
    ("status", "kind", "failure"),
    [
        (401, "authentication_error", "key"),
        (403, "permission_error", "key"),
        (400, "invalid_request_error", "rejected"),
        (404, "not_found_error", "rejected"),
        (413, "request_too_large", "rejected"),
        (429, "rate_limit_error", "rate_limited"),
    ],
)
async def test_a_refused_call_is_told_apart_asked_once_and_free(ask, server, status, kind, failure):
    outcome = await ask(fail(status, kind))
    assert outcome.failure == failure
    assert kind in outcome.detail
    assert outcome.figures == (0, 0, None, None)
    assert len(server.calls) == 1


@pytest.mark.parametrize("status", [500, 503, 529])
async def test_an_overloaded_server_is_asked_twice_and_no_more(ask, server, status):
    outcome = await ask(fail(status, "overloaded_error"))
    assert (outcome.failure, len(server.calls)) == ("overloaded", 2)
    assert (await ask(fail(status, "overloaded_error"), say("Snow."))).text == "Snow."


async def test_a_short_wait_that_was_asked_for_is_waited_a_long_one_is_not(ask, server):
    assert (await ask(fail(429, "rate_limit_error", retry_after="0.1"), say("Snow."))).text == "Snow."
    assert (await ask(fail(429, "rate_limit_error", retry_after="60"), say("Snow."))).failure == "rate_limited"
    assert len(server.calls) == 3


async def test_after_the_first_byte_nothing_is_asked_again(ask, server):
    await ask(say("Snow", CUT))
    assert len(server.calls) == 1


async def test_an_error_in_mid_stream_says_of_what_kind(ask):
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "hunter2"}}
    outcome = await ask(say("Snow", Raw(error), END))
    assert (outcome.text, outcome.failure) == ("Snow", "overloaded")
    assert "hunter2" not in outcome.detail


@pytest.mark.parametrize("line", [b"data: {\n\n", b"data: 7\n\n", b'data: ["a"]\n\n'])
async def test_what_is_not_of_the_protocol_is_a_failure(ask, line):
    outcome = await ask(say("Snow", Raw(line), "."))
    assert (outcome.text, outcome.failure) == ("Snow", "malformed")


async def test_nobody_there_is_told_after_a_second_try(protocol):
    with ModelServer() as gone:
        url = address(gone, protocol)
    outcome = await hear(chat(protocol, url))
    assert (outcome.failure, outcome.figures[:2]) == ("unreachable", (0, 0))


async def test_a_server_that_keeps_no_limit_is_stopped(ask, server):
    # More than the sockets between them hold: the server is still at it when the client leaves.
    outcome = await ask(say(*["snowflakes "] * 40_000), request=ChatRequest("", REQUEST.messages, 20))
    assert outcome.finish == "length"
    assert 20 * 6 < len(outcome.text) < 4000
    server.calls[0].wait_closed()


async def test_a_connection_is_used_again_after_a_whole_answer(server, protocol):
    talk = chat(protocol, address(server, protocol))
    for _ in range(3):
        assert [event async for event in talk.stream(REQUEST)]
    await talk.close()
    assert server.connections == 1


async def test_the_key_is_checked_without_an_answer(protocol):
    with ModelServer(key="right") as server:
        for key, refused in (("right", ""), ("wrong", "key")):
            talk, kind = chat(protocol, address(server, protocol), key=key), ""
            try:
                await talk.check()
            except ModelFailure as failure:
                kind = failure.kind
            finally:
                await talk.close()
            assert kind == refused
        assert {call.path for call in server.calls} == {"/v1/models"}
