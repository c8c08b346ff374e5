import random
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from guardrails.language import available
from guardrails.sentences import CAP, SentenceSplitter
from tests.guardrails.recorded import rows

# Signs that decide boundaries, in proportions that make them meet.
TEXTS = st.lists(
    st.sampled_from(
        [
            *"abZ1 \n.!?。।؟…”“\"')([]*，",
            "[1]",
            "[1",
            "Dr.",
            "e.g.",
            "U.S.",
            "The",
            " — ",
            "《",
            "》",
            "”",
            ":",
            "J.",
            "3.",
            "他",
            "说",
            " x",
            " Y",
            "3.5",
            "https://a.org/b.c",
            "我",
            "ان",
            "```",
        ]
    ),
    max_size=60,
).map("".join)


def split(text: str, language: str, cuts: list[int]) -> list[str]:
    splitter = SentenceSplitter(language)
    edges = [0, *sorted(cut % (len(text) + 1) for cut in cuts), len(text)]
    deltas = [text[start:end] for start, end in pairwise(edges)]
    sentences = [sentence for delta in deltas for sentence in splitter.feed(delta)] + splitter.flush()
    assert all(text[each.start : each.end] == each.text for each in sentences)
    return [sentence.text for sentence in sentences]


@pytest.mark.parametrize(("language", "row"), rows("sentences"), ids=lambda value: str(value)[:60])
def test_recorded_texts_are_cut_where_their_sentences_end(language, row):
    text = "".join(row["sentences"])
    assert split(text, language, []) == row["sentences"]
    assert split(text, language, list(range(len(text)))) == row["sentences"]


@example(text="a\n. )[1a", cuts=[3], language="en")
@given(TEXTS, st.lists(st.integers(0, 10_000), max_size=20), st.sampled_from(available()))
def test_any_cutting_gives_the_same_sentences(text, cuts, language):
    assert split(text, language, cuts) == split(text, language, [])


@given(TEXTS, st.sampled_from(available()))
def test_joined_sentences_are_the_text(text, language):
    assert "".join(split(text, language, [])) == text


@pytest.mark.parametrize("filler", ["a", "a ", ". ", "[1", "\n ", ".\u00a0", "(", "1.", "e.g. "])
def test_no_sentence_is_longer_than_the_cap_however_it_arrives(filler):
    text = (filler * CAP)[: 3 * CAP]
    whole = split(text, "en", [])
    assert max(map(len, whole)) <= CAP
    assert split(text, "en", random.Random(7).sample(range(len(text)), 400)) == whole


@pytest.mark.parametrize("language", available())
def test_one_visible_character_decides_a_plain_end(language):
    stop, following = {"zh": ("。", "他"), "hi": ("। ", "व"), "fa": (". ", "ا"), "ar": (". ", "ا")}.get(
        language, (". ", "T")
    )
    splitter = SentenceSplitter(language)
    assert splitter.feed(f"abc def{stop}") == []
    assert [sentence.text for sentence in splitter.feed(following)] == [f"abc def{stop}"]


@pytest.mark.parametrize(
    ("language", "text", "deciding"),
    [
        ("en", "She moved to the U.S. In", " "),
        ("de", "Er kam am 12. Das", " "),
        ("fr", "Elle choisit la vitamine C. Il", " "),
        ("zh", "“下雨了！”他", "走"),
    ],
)
def test_a_doubtful_end_is_decided_by_the_word_that_follows(language, text, deciding):
    splitter = SentenceSplitter(language)
    assert [sentence.text for character in text for sentence in splitter.feed(character)] == []
    assert len(splitter.feed(deciding)) == 1


def test_markers_after_the_stop_are_waited_for():
    splitter = SentenceSplitter("en")
    for delta in ("It ran. ", "[", "1", "] ", "[2"):
        assert splitter.feed(delta) == []
    assert [sentence.text for sentence in splitter.feed("] N")] == ["It ran. [1] [2] "]


def test_a_bracket_that_is_no_marker_begins_the_next_sentence():
    assert split("It ran. [see below] More.", "en", []) == ["It ran. ", "[see below] More."]


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("It ran.", True),
        ("It ran. [1]", True),
        ("It ran. [1", False),
        ("It ran", False),
        ("See Dr.", False),
        ("Ran\n", True),
    ],
)
def test_it_knows_whether_the_rest_ends_like_a_sentence(text, complete):
    splitter = SentenceSplitter("en")
    splitter.feed(text)
    assert splitter.complete is complete
