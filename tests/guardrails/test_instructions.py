"""What a model was told is not repeated to the reader."""

import pytest

from guardrails.candidate import LatchRules
from guardrails.latch import Latch
from guardrails.sources import Source

TOLD = "Say only what the numbered sources say. Add nothing from memory and guess nothing.\nI serve 王丽."
REPEATS = "The rule is to say only what the numbered sources say [1]."


def stop(sentence, text="Orchard opened in 2017.", told=TOLD, language="en"):
    latch = Latch(language, [Source(text, language)], LatchRules(instructions=told))
    latch.feed(sentence)
    latch.flush()
    return latch.stop and latch.stop.code


@pytest.mark.parametrize(
    "sentence",
    [REPEATS, "ADD NOTHING — from memory, and guess nothing!", "“Say only what the numbered sources say.” [1]"],
)
def test_six_words_in_a_row_stop_however_they_are_written(sentence):
    assert stop(sentence) == "instructions"


def test_fewer_words_are_chance():
    assert stop("Orchard says only what numbered sources say [1].") is None


def test_what_a_cited_source_says_itself_is_no_repeating():
    assert stop("Say only what the numbered sources say [1].", text="Say only what the numbered sources say.") is None


def test_without_instructions_nothing_is_looked_for():
    assert stop(REPEATS, told="") is None
