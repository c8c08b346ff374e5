"""Event lines are read the same however the bytes were cut."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metering.transports.lines import MAX_BYTES, EventLines, ServerEvent, TooLong

PIECES = st.text(alphabet=st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=12)
LINES = st.lists(
    st.one_of(PIECES, PIECES.map("data: {}".format), PIECES.map("event:{}".format), st.just("")), max_size=12
)
ENDS = st.sampled_from(["\n", "\r\n", "\r"])


def read(*pieces):
    reader = EventLines()
    return [event for piece in pieces for event in reader.feed(piece)] + reader.flush()


def cut(data, places):
    bounds = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    return [data[start:end] for start, end in pairwise(bounds)]


@given(lines=LINES, end=ENDS, places=st.lists(st.integers(min_value=0), max_size=8))
def test_any_cutting_gives_the_same_events(lines, end, places):
    data = "".join(line + end for line in lines).encode()
    assert read(*cut(data, places)) == read(data)


@given(texts=st.lists(st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1), max_size=5), end=ENDS)
def test_every_text_arrives_whole_whatever_signs_it_has(texts, end):
    data = "".join(f"data: {json.dumps(text, ensure_ascii=False)}{end}{end}" for text in texts)
    assert [json.loads(event.data) for event in read(data.encode())] == texts


def test_a_comment_is_nothing_and_a_name_belongs_to_its_event():
    assert read(b": keep-alive\n\nevent: ping\ndata: 1\n\ndata: 2\n\n") == [
        ServerEvent("ping", "1"),
        ServerEvent("", "2"),
    ]


def test_lines_of_data_are_one_event():
    assert read(b"data: {\ndata:}\n\n") == [ServerEvent("", "{\n}")]


def test_an_event_of_whole_lines_needs_no_empty_line_at_the_end_and_half_a_line_is_none():
    assert read(b"data: 1\n") == [ServerEvent("", "1")]
    assert read(b'data: {"a') == []


def test_a_line_without_end_is_given_up():
    reader = EventLines()
    for _ in range(MAX_BYTES // 1000):
        assert reader.feed(b"x" * 1000) == []
    with pytest.raises(TooLong):
        reader.feed(b"x")


def test_comments_without_end_are_read_for_ever():
    reader = EventLines()
    for _ in range(3 * MAX_BYTES // 10_000):
        assert reader.feed(b":" + b"x" * 9_998 + b"\n") == []
    assert reader.feed(b"data: 1\n\n") == [ServerEvent("", "1")]
