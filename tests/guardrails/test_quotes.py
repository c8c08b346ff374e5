import pytest

from guardrails.language import available, load
from guardrails.quotes import find, is_long, running_words, stands_in

SOURCE = running_words("She wrote: “A map is a promise that someone walked there, and came back.”")


@pytest.mark.parametrize(
    "quoted",
    [
        '"A map is a promise that someone walked there"', "“a map is a promise\nthat someone walked there.”",
        "«A map is a promise that someone walked there»",
        "“A map is a promise … and came back.”", "'A map is a promise that someone walked there'",
        "“A map is a promise [...] and came back”",
    ],
)  # fmt: skip
def test_word_for_word_quotations_stand_in_their_source(quoted):
    (quotation,) = find(f"She wrote {quoted} in 2019.", "en").quotations
    assert is_long(quotation) is True or "…" in quoted or "..." in quoted
    assert stands_in(quotation, [SOURCE])


@pytest.mark.parametrize(
    "quoted",
    [
        "“A map is a promise that somebody walked there”",
        "“promise that someone walked the”",
        "“came back a map is a promise”",
    ],
)
def test_a_changed_quotation_does_not(quoted):
    (quotation,) = find(f"She wrote {quoted}.", "en").quotations
    assert not stands_in(quotation, [SOURCE])


def test_a_quotation_may_go_on_in_the_next_sentence():
    first = find("She wrote: “A map is a promise.", "en")
    assert first.open_until == "”"
    second = find("Someone walked there.” She left.", "en", first.open_until)
    assert [quotation.words for quotation in second.quotations] == ["Someone walked there."]
    assert second.open_until == ""


@pytest.mark.parametrize("code", available())
def test_every_pair_of_marks_closes_the_quotation_that_it_opens(code):
    for opening, closing in load(code).quotes.pairs:
        quoted = find(f"Aa {opening}one two{closing} bb.", code)
        assert [quotation.words for quotation in quoted.quotations] == ["one two"], opening + closing
        assert quoted.open_until == "", opening + closing


def test_apostrophes_open_no_quotation():
    assert find("It's the maps' fault, isn't it, and the owner's too.", "en").quotations == ()


@pytest.mark.parametrize(
    ("words", "long"),
    [("“a b c d e f”", True), ("“a b c d e”", False), ("“地图是一个有人走过”", True), ("“地图是一个有人走”", False)],
)
def test_six_words_or_nine_chinese_characters_are_long(words, long):
    (quotation,) = find(words, "en").quotations
    assert is_long(quotation) is long
