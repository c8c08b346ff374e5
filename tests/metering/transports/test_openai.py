"""What servers that say they speak OpenAI's protocol do otherwise, each as a stream of its own."""

import pytest

from metering.errors import ModelFailure
from metering.transports.events import Finished, ReasoningDelta, TextDelta, UsageReport
from metering.transports.openai import ChunkReader, OpenAIDialect
from metering.transports.reading import Reading
from tests.metering.transports.chats import PATIENCE, REQUEST, chat, hear
from tests.model_scripts import Figures, Finish, Raw, Thought, event, say
from tests.model_server import ModelServer


def delta(**fields):
    return {"choices": [{"index": 0, "delta": fields, "finish_reason": None}]}


END = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}


def ended(reason):
    return {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}


def read(*chunks):
    """Feed each chunk as a read of its own."""
    reading = Reading(ChunkReader(), REQUEST)
    return [found for chunk in chunks for found in reading.feed(event(chunk))] + list(reading.end())


def report_of(usage, *before):
    return next(
        found for found in read(*before, END, {"choices": [], "usage": usage}) if isinstance(found, UsageReport)
    )


@pytest.mark.parametrize("key", ["reasoning_content", "reasoning"])
def test_reasoning_has_two_names(key):
    assert read(delta(**{key: "hm"}), delta(content="Snow."), END) == [
        ReasoningDelta("hm"),
        TextDelta("Snow."),
        Finished("stop"),
    ]


def test_text_and_reasoning_may_be_parts():
    thinking = [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "Snow."}]
    assert read(delta(content=thinking), END) == [ReasoningDelta("hm"), TextDelta("Snow."), Finished("stop")]


@pytest.mark.parametrize(
    "nothing",
    [{}, {"content": None}, {"content": ""}, {"role": "assistant"}, {"content": "", "reasoning_content": None}],
)
def test_an_empty_delta_is_nothing(nothing):
    assert read(delta(**nothing), END) == [Finished("stop")]


def test_a_refusal_in_a_field_of_its_own_is_what_the_model_said():
    assert read(delta(refusal="I can't."), END) == [TextDelta("I can't."), Finished("stop")]


def test_a_chunk_without_choices_or_with_null_is_nothing():
    assert read({"choices": []}, {"choices": None}, {"object": "ping"}, END) == [Finished("stop")]


def test_figures_may_come_on_a_chunk_without_choices_on_the_last_one_or_never():
    usage = {"prompt_tokens": 9, "completion_tokens": 4}
    assert UsageReport(9, 4) in read(delta(content="a"), END, {"choices": [], "usage": usage})
    assert UsageReport(9, 4) in read(delta(content="a"), END | {"usage": usage})
    assert read(delta(content="a"), END | {"usage": None}) == [TextDelta("a"), Finished("stop")]


def test_figures_on_every_chunk_tell_the_output_at_the_end_alone():
    begun = delta(content="a") | {"usage": {"prompt_tokens": 9, "completion_tokens": 1}}
    whole = END | {"usage": {"prompt_tokens": 9, "completion_tokens": 4}}
    assert [found for found in read(begun, whole) if isinstance(found, UsageReport)] == [
        UsageReport(9),
        UsageReport(9, 4),
    ]


def test_cached_and_reasoning_tokens_are_parts_of_the_figures():
    usage = {
        "prompt_tokens": 9,
        "completion_tokens": 7,
        "total_tokens": 16,
        "prompt_tokens_details": {"cached_tokens": 3},
        "completion_tokens_details": {"reasoning_tokens": 5},
    }
    assert report_of(usage) == UsageReport(9, 7, 5, 3)


def test_reasoning_that_only_the_total_counts_is_counted():
    assert report_of({"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 16}).output_tokens == 7


@pytest.mark.parametrize("value", [None, -1, "9", 1.5, True])
def test_a_figure_that_is_none_is_left_open(value):
    assert report_of({"prompt_tokens": value, "completion_tokens": value}) == UsageReport()


def test_a_prompt_of_no_token_was_not_filled_in():
    assert report_of({"prompt_tokens": 0, "completion_tokens": 0}) == UsageReport(None, 0)


@pytest.mark.parametrize(
    ("reason", "finish"), [("stop", "stop"), ("eos_token", "stop"), ("length", "length"), ("model_length", "length")]
)
def test_ends_have_several_names(reason, finish):
    assert read(delta(content="a"), ended(reason))[-1] == Finished(finish)


@pytest.mark.parametrize(("reason", "kind"), [("content_filter", "rejected"), ("tool_calls", "malformed")])
def test_an_end_that_the_model_did_not_choose_is_a_failure_after_its_figures(reason, kind):
    reading = Reading(ChunkReader(), REQUEST)
    found = reading.feed(event(ended(reason) | {"usage": {"prompt_tokens": 9, "completion_tokens": 4}}))
    assert found == [UsageReport(9, 4)]
    with pytest.raises(ModelFailure) as failure:
        list(reading.end())
    assert failure.value.kind == kind


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"error": {"message": "no", "type": "server_error", "code": None}}, "overloaded"),
        ({"error": {"message": "no", "code": 429}}, "rate_limited"),
        ({"object": "error", "message": "no", "type": "BadRequestError", "code": 400}, "rejected"),
        ({"error": "no"}, "cut"),
    ],
)
def test_an_error_in_the_stream_has_several_forms(error, kind):
    with pytest.raises(ModelFailure) as failure:
        read(delta(content="a"), error)
    assert failure.value.kind == kind


def test_what_came_together_is_handed_on_together_figures_first():
    reading = Reading(ChunkReader(), REQUEST)
    usage = {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4}}
    together = b"".join(
        map(event, [delta(reasoning="h"), delta(reasoning="m"), delta(content="a"), delta(content="b"), END, usage])
    )
    assert reading.feed(together) == [UsageReport(9, 4), ReasoningDelta("hm"), TextDelta("ab")]
    assert list(reading.end()) == [Finished("stop")]


def test_after_done_nothing_is_read():
    reading = Reading(ChunkReader(), REQUEST)
    reading.feed(event(END) + b"data: [DONE]\n\n")
    assert reading.complete


async def test_a_stream_of_all_quirks_arrives():
    answer = say(
        *[Raw(b": OPENROUTER PROCESSING\n\n"), Thought("hm", "reasoning"), "", "Snow"],
        *[Raw(b"event: ping\n\n"), Finish("stop")],
        usage=Figures(input=9, output=4, reasoning=1, cached=2, everywhere=True),
    )
    with ModelServer(answer) as server:
        outcome = await hear(chat("openai", server.url))
        assert (outcome.text, outcome.finish, outcome.figures) == ("Snow", "stop", (9, 4, 1, 2))
        assert server.calls[0].body["stream_options"] == {"include_usage": True}


@pytest.mark.parametrize(
    ("url", "name"),
    [("https://api.openai.com/v1", "max_completion_tokens"), ("http://127.0.0.1:8080/v1", "max_tokens")],
)
def test_the_limit_stands_where_the_server_reads_it(url, name):
    assert OpenAIDialect(url, "m", "k", PATIENCE).limit == name
