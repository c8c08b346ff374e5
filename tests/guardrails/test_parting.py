from itertools import pairwise

import pytest

from guardrails.language import available, load
from guardrails.plain import plain
from guardrails.value_reading import ValueReader
from guardrails.values import ValueIndex, demanded
from tests.guardrails.recorded import rows

PARTED = [
    "It was. 5 may. The march. 3 of may! In 2019. And march 2021? No. One of 3 a. m. Personas. Two. Hundred. Of. 5",
    "am 5. Mai. Im Jahr 2019. Fünf. Und zwanzig. Der 3. Tag, 12. März. Es war 5 p.m. Then 1. 200",
    "一。-5 3。第。三。成！2019。3月5日？1,200。s3",
    "It was。2 p.m. 上午。3:30 百分之。5",
]  # fmt: skip


@pytest.mark.parametrize("code", available())
def test_no_piece_of_a_source_offers_what_the_whole_does_not(code):
    reader = ValueReader(load(code))
    texts = [" ".join(row["sources"]) for language, row in rows("latch") if language == code]
    for text in map(plain, [*texts, *PARTED, *(word for each in PARTED for word in each.split(". "))]):
        whole = reader.offers(text)
        for start, end in pairwise([0, *reader.parting.stops(text), len(text)]):
            piece = reader.offers(text[start : end + 1])
            assert all(found <= offered for found, offered in zip(piece, whole, strict=True)), text[start:end]


@pytest.mark.parametrize(
    ("source", "stops"),
    [("It took 5. Then it ran.", 1), ("It took 5. May it run.", 0), ("On 5. Of may.", 0), ("At 3 a. m. it ran", 1),
     ("It is no. One is.", 0), ("It is 1. 200 are.", 0), ("It took 5! Two ran. We left?", 1)],
)  # fmt: skip
def test_a_source_is_parted_where_no_value_can_reach_across(source, stops):
    assert len(ValueReader(load("en")).parting.stops(plain(source))) == stops


@pytest.mark.parametrize(
    ("language", "sentence", "value", "around"),
    [
        ("en", "The mill that we saw had 12 looms in the old hall.", "12", " had 12 looms "),
        ("en", "The mill ran from March 2019 to May 2021, they say.", "2019", " from march 2019 to may 2021, they "),
        ("en", "We saw (in part, say) 2 million and a half or so.", "2", " say) 2 million and a half or so."),
        ("en", "12 looms.", "12", "12 looms."),
        ("fa", "این کارگاه ۱۲ دستگاه کهنه دارد", "12", " کارگاه 12 دستگاه "),
        ("hi", "मिल में ३ करघे थे और", "3", " में 3 करघे "),
        ("zh", "河边的磨坊共有12台织机。", "12", "坊共有12台织"),
        ("zh", "磨坊从2019年3月到5月运行。", "2019", "坊从2019年3月到5月运行。"),
    ],
)  # fmt: skip
def test_a_value_is_looked_for_as_far_as_the_next_word_that_belongs_to_none(language, sentence, value, around):
    text = plain(sentence)
    start = text.index(value)
    first, last = ValueReader(load(language)).parting.around(start, start + len(value), text)
    assert text[first:last] == around


@pytest.mark.parametrize(
    ("source", "sentence"),
    [("They had 12 looms.", "We had 12 weaving looms"), ("It ran from May 2019 to 2021.", "It ran until May 2019."),
     ("It ran 12 million hours.", "It ran 12 hours."), ("It cost $12 then.", "It cost 12 then."),
     ("It is -12 there.", "It is 12 there.")],
)  # fmt: skip
def test_other_surroundings_are_not_alike(source, sentence):
    index, text = ValueIndex(plain(source), "en"), plain(sentence)
    values = demanded(text, "en")
    assert values
    assert not any(index.has_alike(value.start, value.end, text) for value in values)


def test_a_value_may_stand_in_another_sentence_in_the_same_surroundings():
    index = ValueIndex(plain("In the hall stood 12 looms made of oak."), "en")
    for sentence, alike in (("Once 12 looms made cloth", False), ("There stood 12 looms made by hand", True)):
        (value,) = demanded(plain(sentence), "en")
        assert index.has_alike(value.start, value.end, plain(sentence)) is alike
