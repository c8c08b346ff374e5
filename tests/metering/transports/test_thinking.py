"""What stands between think tags is never text, however the deltas are cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metering.errors import ModelFailure
from metering.transports.events import TextDelta
from metering.transports.thinking import ThinkTags


def parted(*deltas):
    tags = ThinkTags()
    found = [piece for delta in deltas for piece in tags.feed(delta)] + tags.flush()
    text = "".join(piece.text for piece in found if isinstance(piece, TextDelta))
    return text, "".join(piece.text for piece in found if not isinstance(piece, TextDelta))


def outcome(*deltas):
    try:
        return parted(*deltas)
    except ModelFailure as failure:
        return failure.kind


@pytest.mark.parametrize(
    ("given", "text", "thought"),
    [
        ("<think>hm</think>Snow [1].", "Snow [1].", "hm"),
        ("<thinking>a < b</thinking>Snow", "Snow", "a < b"),
        ("Snow<think>no end", "Snow", "no end"),
        ("<think></think>Snow", "Snow", ""),
        ("<think>a</think>b<think>c</think>d", "bd", "ac"),
        ("3 < 4 <thin", "3 < 4 <thin", ""),
        ("<think>a</thinking>b</think>c", "c", "a</thinking>b"),
        ("<thinker>", "<thinker>", ""),
    ],
)
def test_reasoning_and_text_are_parted(given, text, thought):
    assert parted(given) == (text, thought)
    assert parted(*given) == (text, thought)


@given(
    st.lists(
        st.sampled_from(["<think>", "</think>", "<thinking>", "</thinking>", "<", "</", "th", "ink>", "a ", "雪"])
    ),
    st.lists(st.integers(min_value=1, max_value=9), min_size=1),
)
def test_any_cutting_parts_them_the_same(words, sizes):
    whole, pieces, start = "".join(words), [], 0
    for size in sizes * (len(whole) + 1):
        pieces.append(whole[start : start + size])
        start += size
        if start >= len(whole):
            break
    assert outcome(*pieces) == outcome(whole)


def test_reasoning_whose_opening_tag_the_template_kept_is_a_failure():
    with pytest.raises(ModelFailure) as failure:
        parted("Let me see. ", "</think>", "Snow.")
    assert failure.value.kind == "malformed"
