from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.language import available
from guardrails.latch import Latch, LatchRules, Source
from guardrails.leak import LeakRules
from tests.guardrails.recorded import rows, without_spaces

PIECES = [
    "Orchard opened in 2017 [1]. ", "It has 12% more [1][2]. ", "I ran it [1]. ", "Here is more. ",
    "She drew 5 maps [9]. ",
    "[1]", " ", "\n", "- Mill [2]\n", "“Maps", "” ", "2017", "[2", "]", "```", "Dr. ", "e.g. ", "No", ". ", "**",
    "https://a.org",
]  # fmt: skip
STREAMS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)
SOURCES = ["Orchard opened in 2017. It has 12% more.", "Mill and Dr. Moss: 12 percent, https://a.org"]


def run(stream, language="en", sources=SOURCES, cuts=(), finish="stop", rules=None, languages=None):
    languages = languages or [language] * len(sources)
    latch = Latch(language, [Source(*pair) for pair in zip(sources, languages, strict=True)], rules)
    edges = [0, *sorted(cut % (len(stream) + 1) for cut in cuts), len(stream)]
    released = [sentence for start, end in pairwise(edges) for sentence in latch.feed(stream[start:end])]
    return [*released, *latch.flush(finish)], latch


def texts(released):
    return [sentence.text for sentence in released]


@pytest.mark.parametrize(
    ("language", "row"), rows("latch"), ids=lambda value: value if isinstance(value, str) else value["id"]
)
def test_recorded_answers_are_released_and_stopped_as_recorded(language, row):
    for cuts in ((), range(len(row["stream"])), range(0, len(row["stream"]), 3)):
        released, latch = run(row["stream"], language, row["sources"], cuts, languages=row["source_langs"])
        assert without_spaces(texts(released)) == without_spaces(row["released"]), latch.stop
        assert (latch.stop.code if latch.stop else None) == row["stop"], latch.stop


@given(STREAMS, st.lists(st.integers(0, 10_000), max_size=15), st.sampled_from(["stop", "length"]))
def test_any_cutting_gives_the_same_releases_and_the_same_stop(stream, cuts, finish):
    whole, latch = run(stream, finish=finish)
    cut, other = run(stream, cuts=cuts, finish=finish)
    assert (cut, other.stop, other.truncated) == (whole, latch.stop, latch.truncated)


@given(STREAMS)
def test_releases_are_the_beginning_of_the_stream_without_its_markers(stream):
    released, latch = run(stream)
    place = 0
    for sentence in released:
        assert sentence.start >= place
        place = sentence.end
        assert set(sentence.text) <= set(stream[sentence.start : sentence.end])
    assert latch.stop or place <= len(stream)


@given(STREAMS)
def test_nothing_follows_a_stop(stream):
    _, latch = run(stream + " I will not be released [1]. ")
    assert latch.stop is not None
    assert latch.feed("Orchard opened in 2017 [1]. And ") == []
    assert latch.flush() == []


def test_a_tail_without_a_full_stop_is_judged():
    released, latch = run("Orchard opened in 2018 [1]")
    assert (released, latch.stop.code) == ([], "value")


@pytest.mark.parametrize("tail", ["And it", "It has 55", "It has 3.", "It opened in 2017. ["])
def test_a_half_sentence_at_the_length_limit_is_dropped_without_a_stop(tail):
    released, latch = run(f"Orchard opened in 2017 [1]. {tail}", finish="length")
    assert texts(released) == ["Orchard opened in 2017."]
    assert latch.truncated
    assert latch.stop is None


def test_a_whole_sentence_at_the_length_limit_is_judged():
    released, latch = run("Orchard opened in 2017 [1].", finish="length")
    assert texts(released) == ["Orchard opened in 2017."]
    _, latch = run("Orchard opened in 2018 [1].", finish="length")
    assert latch.stop.code == "value"


def test_what_is_released_knows_its_sources_its_place_and_the_space_after_it():
    released, _ = run("It has 12% more [2][1].\n\n- Mill [2]")
    first, second = released
    assert (first.sources, first.gap, first.start) == ((2, 1), "\n\n", 0)
    assert (second.text, second.sources, second.end) == ("- Mill", (2,), 35)


def test_a_sentence_said_again_is_released_again_at_its_own_place():
    released, latch = run("Orchard opened in 2017 [1]. " * 3 + "Mill [2]. Orchard opened in 2018 [1].")
    assert [(sentence.start, sentence.end) for sentence in released] == [(0, 28), (28, 56), (56, 84), (84, 94)]
    assert texts(released)[:3] == ["Orchard opened in 2017."] * 3
    assert latch.stop.code == "value"


def test_sentences_said_by_turns_are_released_each_at_its_own_place():
    turn = "Orchard opened in 2017 [1]. “Mill [2]. It” has 12% more [2][1].\n"
    released, latch = run(turn * 20)
    assert latch.stop is None
    assert [sentence.start for sentence in released[::3]] == [len(turn) * number for number in range(20)]
    assert "".join(f"{sentence.text}{sentence.gap}" for sentence in released) == (
        "Orchard opened in 2017. “Mill. It” has 12% more.\n" * 20
    )


def test_a_sentence_said_again_is_checked_again_within_a_quotation():
    words = "All the old mills were closed then."
    stream = f"{words} [2] He said: “Mill [2]. {words} [2]"
    assert [sentence.text for sentence in run(f"{words} [2] {words} [2]")[0]] == [words, words]
    assert run(stream)[1].stop.code == "quote"


def test_a_sentence_said_again_counts_as_another():
    declining = "I cannot answer this from the passages."
    rules = LatchRules(by_model=True)
    assert run(f"Here is more. {declining}", rules=rules)[1].stop.code == "model_refusal"
    assert run(f"{'Here is more. ' * 2}{declining}", rules=rules)[1].stop.code != "model_refusal"


def test_a_fence_stops_before_its_line_has_arrived():
    latch = Latch("en", [Source(SOURCES[0], "en")])
    latch.feed("Orchard opened in 2017 [1].\n``")
    assert latch.stop is None
    latch.feed("`")
    assert latch.stop.code == "code"


def test_urls_belong_to_the_listed_domains():
    rules = LatchRules(domains=("example.org",))
    stream = "Mill is at https://a.org [2]."
    assert run(stream)[1].stop is None
    assert run(stream, rules=rules)[1].stop.code == "value"
    assert run(stream, rules=LatchRules(domains=("A.org",)))[1].stop is None


def test_leaks_are_redacted_or_stop_by_policy_and_only_where_asked():
    sources = ["Call Orchard about the maps of the river at +49 30 1234567. Card 4111 1111 1111 1111."]
    stream = "Call Orchard about the maps of the river at +49 30 1234567 [1]."
    rules = LatchRules(leak=LeakRules())
    assert texts(run(stream, sources=sources)[0]) == [stream.replace(" [1]", "")]
    assert texts(run(stream, sources=sources, rules=rules)[0]) == ["Call Orchard about the maps of the river at [•••]."]
    assert run("Card 4111 1111 1111 1111 [1].", sources=sources, rules=rules)[1].stop.code == "leak"
    allowed = LatchRules(leak=LeakRules(allowed=frozenset({"+49301234567"})))
    assert texts(run(stream, sources=sources, rules=allowed)[0]) == [stream.replace(" [1]", "")]


def test_support_is_checked_where_it_is_switched_on():
    sources = ["The mill was never opened."]
    stream = "The mill was opened [1]. The bakery sells excellent bread [1]."
    assert run(stream, sources=sources)[1].stop is None
    assert run(stream, sources=sources, rules=LatchRules(support=True))[1].stop.code == "support"


@pytest.mark.parametrize("language", available())
def test_an_empty_answer_releases_nothing(language):
    released, latch = run("", language)
    assert (released, latch.stop, latch.truncated) == ([], None, False)
