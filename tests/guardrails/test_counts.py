import pytest

from guardrails import values
from guardrails.counts import counts_own_list
from guardrails.plain import plain


def excused(text):
    sentence = plain(text)
    return [value.text for value in values.demanded(sentence, "en") if counts_own_list(value, sentence, "en")]


@pytest.mark.parametrize(
    "text",
    [
        "She built three houses: Orchard, Harbor and Mill.", "Three houses (Orchard, Harbor, and Mill) stand.",
        "Two teams, Ledger and Search, met.",
        "The four: a, b, c or d.", "Orchard, Harbor and Mill are the three houses.",
        "She built 3 houses — Orchard, Harbor and Mill.",
    ],
)  # fmt: skip
def test_a_count_of_the_sentence_s_own_list_is_excused(text):
    assert len(excused(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "She built four houses: Orchard, Harbor and Mill.", "She led two teams in Rome and Milan.",
        "She has 3 maps.", "In 2017: Orchard and Mill.",
        "She led three teams, and left.",
    ],
)  # fmt: skip
def test_other_numbers_are_not(text):
    assert excused(text) == []
