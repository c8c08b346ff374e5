"""A model that declines in prose is told from one that answers, in ten languages."""

from pathlib import Path

import pytest

from guardrails.language import available
from guardrails.latch import Latch, LatchRules, Source
from guardrails.model_refusal import declines

CASES = Path(__file__).parent / "cases"


def cases(code):
    for line in (CASES / f"model_refusal.{code}.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            wanted, sentence = (part.strip() for part in line.split("|", 1))
            yield wanted, sentence


@pytest.mark.parametrize("code", available())
def test_first_sentences_are_told_apart(code):
    found = {sentence: (declines(sentence, code) or "answers").partition(":")[0] for _, sentence in cases(code)}
    assert found == {sentence: wanted for wanted, sentence in cases(code)}


@pytest.mark.parametrize("code", available())
def test_a_model_that_declines_in_english_is_understood_everywhere(code):
    assert declines("I'm sorry, but I can't answer that.", code) == "declines: cannot or will not"


def test_what_stands_in_quotation_marks_declines_nothing():
    assert declines('The note reads "I cannot answer that".', "en") is None
    assert declines("The note reads: I cannot answer that.", "en") is not None


class TestInTheBelt:
    SOURCE = Source("The mast was painted in 2019. The sources do not mention a bridge.", "en")

    def stop(self, text, *, by_model=True):
        latch = Latch("en", [self.SOURCE], LatchRules(by_model=by_model))
        latch.feed(text)
        latch.flush()
        return latch.stop and latch.stop.code

    def test_it_comes_before_every_other_check(self):
        assert self.stop("I'm sorry, but I can't answer that [7].") == "model_refusal"

    def test_only_where_a_model_words_the_answer(self):
        assert self.stop("I'm sorry, but I can't answer that [7].", by_model=False) == "marker_range"

    def test_only_the_first_sentences_count(self):
        painted = "The mast was painted in 2019 [1]. "
        assert self.stop(painted + "The provided sources do not say by whom [1].") == "model_refusal"
        assert self.stop(painted * 2 + "The provided sources do not say by whom [1].") is None

    def test_what_a_cited_source_says_word_for_word_is_no_refusal(self):
        assert self.stop("The sources do not mention a bridge [1].") is None
        assert self.stop("The sources do not mention a road [1].") == "model_refusal"
