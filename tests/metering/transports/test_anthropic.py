"""What Anthropic's protocol and the servers that copy it do, each as a stream of its own."""

import pytest

from metering.errors import ModelFailure
from metering.transports.anthropic import MessageReader
from metering.transports.events import Finished, ReasoningDelta, TextDelta, UsageReport
from metering.transports.reading import Reading
from tests.metering.transports.chats import REQUEST, chat, hear
from tests.model_scripts import event, say
from tests.model_server import ModelServer


def start(**usage):
    return {"type": "message_start", "message": {"usage": usage}}


def delta(**fields):
    return {"type": "content_block_delta", "index": 0, "delta": fields}


def end(reason="end_turn", **usage):
    return {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage}


def read(*bodies):
    reading = Reading(MessageReader(), REQUEST)
    return [found for body in bodies for found in reading.feed(event(body, body["type"]))] + list(reading.end())


def test_the_input_is_told_at_the_start_with_what_the_cache_gave_and_took():
    usage = {"input_tokens": 4, "cache_read_input_tokens": 3, "cache_creation_input_tokens": 2, "output_tokens": 1}
    assert read(start(**usage), end(output_tokens=7))[:2] == [UsageReport(9, None, None, 3), UsageReport(None, 7)]


def test_an_output_before_the_end_says_nothing():
    assert read(start(input_tokens=4, output_tokens=1), end(reason=None, output_tokens=2), end())[:2] == [
        UsageReport(4),
        UsageReport(),
    ]


def test_an_input_of_nothing_was_not_told_and_may_come_at_the_end():
    assert read(start(input_tokens=0), end(input_tokens=9, output_tokens=7))[:2] == [UsageReport(), UsageReport(9, 7)]


def test_thoughts_come_open_or_encrypted_and_are_never_text():
    found = read(
        start(),
        delta(type="thinking_delta", thinking="hm"),
        delta(type="signature_delta", signature="EqQB"),
        {"type": "content_block_start", "content_block": {"type": "redacted_thinking", "data": "xyz"}},
        delta(type="text_delta", text="Snow."),
        end(output_tokens=7, output_tokens_details={"thinking_tokens": 5}),
    )
    assert [piece.text for piece in found if isinstance(piece, ReasoningDelta)] == ["hm", "EqQB", "xyz"]
    assert [piece.text for piece in found if isinstance(piece, TextDelta)] == ["Snow."]
    assert UsageReport(None, 7, 5) in found


def test_a_text_may_begin_with_its_block_and_what_is_unknown_is_nothing():
    block = {"type": "content_block_start", "content_block": {"type": "text", "text": "Sn"}}
    later = {"type": "something_new"}
    assert read(start(), later, block, delta(type="citations_delta"), delta(type="text_delta", text="ow"), end())[
        1:3
    ] == [
        TextDelta("Sn"),
        TextDelta("ow"),
    ]


@pytest.mark.parametrize(
    ("reason", "finish"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
    ],
)
def test_ends_have_several_names(reason, finish):
    assert read(start(), end(reason))[-1] == Finished(finish)


@pytest.mark.parametrize(("reason", "kind"), [("refusal", "rejected"), ("tool_use", "malformed"), (None, "cut")])
def test_an_end_that_the_model_did_not_choose_is_a_failure(reason, kind):
    with pytest.raises(ModelFailure) as failure:
        read(start(), end(reason))
    assert failure.value.kind == kind


@pytest.mark.parametrize(
    ("named", "kind"),
    [
        ("overloaded_error", "overloaded"),
        ("api_error", "overloaded"),
        ("rate_limit_error", "rate_limited"),
        ("authentication_error", "key"),
        ("invalid_request_error", "rejected"),
        ("timeout_error", "slow"),
        ("something_new", "cut"),
    ],
)
def test_an_error_event_is_classed_by_its_type(named, kind):
    with pytest.raises(ModelFailure) as failure:
        read(start(), {"type": "error", "error": {"type": named, "message": "no"}})
    assert failure.value.kind == kind


async def test_an_address_with_v1_is_taken_too():
    with ModelServer(say("Snow.")) as server:
        assert (await hear(chat("anthropic", f"{server.root}/v1"))).text == "Snow."
        assert server.calls[0].path == "/v1/messages"
