import pytest

from guardrails.latch import Latch, LatchRules
from guardrails.plain import plain
from guardrails.sources import Source

SOURCE = Source("The mill opened in 0.3 hours. It has 12 looms!\nNo. 5 is a barge of 3 holds", "en")


@pytest.mark.parametrize(
    "sentence",
    [
        "The mill opened in 0.3 hours.",
        "the mill opened in 0.3 hours",
        "It has 12 looms.",
        "No. 5 is a barge of 3 holds.",
    ],
)
def test_a_source_says_its_own_sentences(sentence):
    assert SOURCE.says(plain(sentence))


@pytest.mark.parametrize(
    "sentence",
    [
        "",
        ".",
        "3 hours.",
        "The mill opened in 0.",
        "The mill opened",
        "12 looms.",
        "It has 1.",
        "It has 12 loom.",
        "holds",
    ],
)
def test_it_does_not_say_a_part_of_one(sentence):
    assert not SOURCE.says(plain(sentence))


def test_chinese_sentences_are_told_apart_without_spaces():
    source = Source("磨坊于2017年开业。它有12台织机。", "zh")
    assert source.says("它有12台织机。")
    assert not source.says("有12台织机。")


def test_what_a_source_says_in_another_language_is_read_there():
    source = Source("Es sind 1.200 Karten.", "de")
    for language, stop in (("de", None), ("en", "value")):
        latch = Latch(language, [source], LatchRules())
        latch.feed("Es sind 1.200 Karten [1].")
        latch.flush()
        assert (latch.stop.code if latch.stop else None) == stop
