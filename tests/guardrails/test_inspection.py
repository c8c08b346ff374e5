"""What the belt has against each sentence of a text without sources."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from guardrails.candidate import LatchRules
from guardrails.inspection import Inspection
from guardrails.latch import Latch

TEXT = (
    "The battery lasted 977 days. I was very proud of that. We charge 120 euros an hour [1]! "
    "She said “it was the best of all the gauges we built”. In short:\n- Snow melts"
)


def inspected(*deltas):
    inspection = Inspection("en", LatchRules(by_model=True))
    found = [sentence for delta in deltas for sentence in inspection.feed(delta)]
    return [*found, *inspection.flush()]


def codes(*deltas):
    return [[objection.code for objection in sentence.objections] for sentence in inspected(*deltas)]


def test_a_sentence_is_told_every_objection_in_the_order_of_the_belt():
    assert codes(TEXT)[:3] == [
        ["marker_missing", "value"],
        ["marker_missing", "first_person"],
        ["marker_range", "value", "first_person", "commitment"],
    ]


def test_it_reads_on_behind_a_sentence_that_the_latch_would_stop_at():
    assert [sentence.text for sentence in inspected(TEXT)][-2:] == ["In short:", "- Snow melts"]


def test_what_only_links_would_have_passed():
    assert codes("In short:\n") == [[]]


def test_a_long_quotation_stands_in_no_source():
    assert "quote" in codes(TEXT)[3]


def test_a_model_that_declines_is_told_so():
    assert "model_refusal" in codes("I am sorry, but I cannot answer that question.")[0]


@given(st.lists(st.integers(0, len(TEXT))))
def test_however_the_text_is_cut_the_sentences_are_the_same(places):
    cuts = [0, *sorted(places), len(TEXT)]
    assert inspected(*(TEXT[start:end] for start, end in pairwise(cuts))) == inspected(TEXT)


def test_the_first_sentence_with_an_objection_is_that_at_which_the_latch_stops():
    latch = Latch("en", [], LatchRules(by_model=True))
    latch.feed("In short:\n" + TEXT)
    first = next(sentence for sentence in inspected("In short:\n" + TEXT) if sentence.objections)
    assert (latch.stop.sentence, latch.stop.code) == (first.text, first.objections[0].code)
