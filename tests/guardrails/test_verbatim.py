import pytest

from guardrails import values
from guardrails.plain import plain
from guardrails.values import ValueIndex
from guardrails.verbatim import says_from, says_sentence
from tests.guardrails.recorded import rows

SOURCE = plain(
    "The mill by the river opened in 2017 with 12 looms. It cost 1.5 million euros. It was on the 14. of May. "
    "It ended in 2019. A barge holds 3"
)


@pytest.mark.parametrize("sentence", ["It cost 1.5 million euros.", "it cost 1.5 million euros", "A barge holds 3."])
def test_sentences_of_the_source_are_said(sentence):
    assert says_sentence(SOURCE, plain(sentence))


@pytest.mark.parametrize("sentence", ["5 million euros.", "It cost 1.", "It cost 1.5 million", "opened in 2017.", "."])
def test_parts_of_sentences_are_not(sentence):
    assert not says_sentence(SOURCE, plain(sentence))


@pytest.mark.parametrize(
    ("sentence", "value", "margin", "said"),
    [
        ("Once, the mill by the river opened in 2017 with 12 looms.", "2017", 10, True),
        ("Once, the mill by the river opened in 2017 with 12 looms.", "12", 10, True),
        ("Once, the mill by the river opened in 2017 with 13 looms.", "2017", 10, False),
        ("The mill by the river opened in 2017.", "2017", 10, False),
        ("It cost 1.", "1", 10, False),
        ("It cost 1.5 million.", "1.5", 10, False),
        ("1.5 million euros.", "1.5", 4, False),
        ("A barge holds 3.", "3", 10, True),
        ("It was on the 14.", "14", 10, False),
        ("It ended in 2019.", "2019", 10, True),
    ],
)
def test_a_value_is_said_only_with_all_of_its_surroundings(sentence, value, margin, said):
    start = plain(sentence).index(value)
    assert says_from(SOURCE, plain(sentence), start - margin, start + len(value) + margin) is said


@pytest.mark.parametrize(
    ("language", "row"), rows("latch"), ids=lambda value: value if isinstance(value, str) else value["id"]
)
def test_what_stands_alike_is_found_by_reading_too(language, row):
    sources = [ValueIndex(plain(text), language) for text in row["sources"]]
    for sentence in map(plain, (*row["sources"], *row["released"], row["stream"])):
        for value in values.demanded(sentence, language):
            for source in sources:
                assert not source.has_alike(value.start, value.end, sentence) or source.supports(value), value.text


@pytest.mark.parametrize(
    ("language", "row"), rows("latch"), ids=lambda value: value if isinstance(value, str) else value["id"]
)
def test_every_value_but_an_address_has_a_place(language, row):
    for sentence in map(plain, (*row["sources"], row["stream"])):
        places = list(values.signs(sentence, language).places())
        for value in values.demanded(sentence, language):
            placed = any(start < value.end and value.start < end for start, end in places)
            assert placed or value.readings[0].startswith(("url ", "email ")), value.text
