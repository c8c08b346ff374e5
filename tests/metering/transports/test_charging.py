"""What was reported stands, what was left open is filled with what can't be too low."""

import pytest

from metering.transports.charging import OVERHEAD_TOKENS, input_bound, usage_of
from metering.transports.events import ReasoningDelta, TextDelta, UsageReport
from metering.transports.received import Received
from metering.transports.requests import ChatRequest, Message


def request(reasoning=0, text="é", cap=100):
    return ChatRequest("be brief", (Message("user", text),), cap, reasoning)


def charged(*events, of=None):
    received = Received()
    for event in events:
        received.add(event)
    usage = usage_of("m", of or request(), received, byte_level=True)
    return usage.input_tokens, usage.output_tokens, usage.reasoning_tokens, usage.cached_tokens, usage.reported


BOUND = 10 + OVERHEAD_TOKENS  # "be brief" and "é"


def test_reported_figures_stand():
    events = TextDelta("snow " * 50), UsageReport(40, 9, 3, 12)
    assert charged(*events) == (40, 9, 3, 12, True)
    assert charged(*events, of=request(reasoning=50)) == (40, 9, 3, 12, True)


def test_nothing_reported_is_a_token_a_byte():
    assert charged(TextDelta("né"), TextDelta("ge")) == (BOUND, 5, 0, 0, False)


def test_a_part_reported_leaves_the_rest_to_be_filled():
    assert charged(UsageReport(input_tokens=40, cached_tokens=30), TextDelta("snow")) == (40, 4, 0, 30, False)
    assert charged(TextDelta("snow"), UsageReport(output_tokens=2)) == (BOUND, 2, 0, 0, False)


def test_where_the_model_reasons_its_whole_cap_is_filled():
    assert charged(ReasoningDelta("hm"), TextDelta("snow"), of=request(reasoning=50)) == (BOUND, 54, 50, 0, False)


def test_reasoning_that_nobody_expected_is_counted_by_its_bytes():
    assert charged(ReasoningDelta("hm"), TextDelta("snow")) == (BOUND, 6, 2, 0, False)


def test_no_more_is_filled_than_the_model_was_allowed():
    assert charged(TextDelta("snow" * 100)) == (BOUND, 100, 0, 0, False)


def test_a_call_that_was_refused_costs_nothing():
    assert charged(UsageReport(0, 0)) == (0, 0, 0, 0, True)


def test_later_figures_take_the_place_of_earlier_ones():
    assert charged(UsageReport(40, None, None, 5), UsageReport(None, 7)) == (40, 7, 0, 5, True)


@pytest.mark.parametrize(("text", "apart"), [("snow", 4), ("각", 9), ("ﷺ", 33)])
def test_a_tokenizer_that_takes_characters_apart_first_is_bounded_by_the_parts(text, apart):
    assert input_bound(request(text=text), byte_level=True) == 8 + len(text.encode()) + OVERHEAD_TOKENS
    assert input_bound(request(text=text), byte_level=False) == 2 * (8 + apart) + OVERHEAD_TOKENS
