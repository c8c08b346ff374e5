import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails import values
from guardrails.language import load
from guardrails.numerals import read as read_number
from guardrails.numerals import read_characters
from guardrails.plain import plain
from guardrails.values import ValueIndex

SAME = [
    ("1,200", "1200"), ("1,200", "1 200"), ("1,200", "1\u202f200"), ("1.5 million", "1,500,000"), ("20k", "20,000"),
    ("2 lakh", "200,000"), ("35%", "35 percent"), ("35 %", "thirty-five percent"), ("10–20%", "10% to 20%"),
    ("$1,200.50", "1,200.50 dollars"),
    ("US$5", "5 USD"), ("two hundred and fifty thousand", "250,000"), ("forty-two", "42"), ("a dozen", "12"),
    ("a million", "1,000,000"),
    ("5 March 2021", "2021-03-05"), ("March 5th, 2021", "5 March 2021"), ("25/12/2021", "25 December 2021"),
    ("03/2014", "March 2014"), ("3/2014–11/2016", "March 2014 to November 2016"), ("03.2014", "03/2014"),
    ("March to June 2019", "March 2019 to June 2019"),
    ("3–5 March 2020", "3 March 2020 and 5 March 2020"), ("2019–21", "2019 to 2021"), ("2:30 pm", "14:30"),
    ("2 p.m.", "14:00"),
    ("https://www.example.org/a/", "example.org/a"), ("v2.3.1", "version 2.3.1"), ("1,23,456", "123,456"),
    ("three and a half", "3.5"), ("a million and a half", "1.5 million"),
]  # fmt: skip
PARTS = [
    ("2021-03-05", "March 2021"), ("2021-03-05", "2021"), ("2021-03-05", "in March"), ("€500", "500"),
    ("the third one", "3 maps"),
    ("one map", "1 map"), ("twice", "2 times"), ("both maps", "two maps"), ("03/04/2021", "03/04/2021"),
    ("March 2021 and May 2022", "May 2022"), ("03/2014", "2014"),
]  # fmt: skip
OTHER = [
    ("3.5", "35"), ("35", "35%"), ("35%", "35"), ("€500", "$500"), ("500", "€500"), ("12,400", "12,40"),
    ("2019", "2018"), ("March 2021", "May 2021"),
    ("5 March 2021", "6 March 2021"), ("March 2021 and June 2019", "March 2019"), ("03/04/2021", "3 April 2021"),
    ("2.10.1", "2.1.10"), ("3.10", "3.1"),
    ("14:30", "2:30"), ("S3", "S4"), ("GPT-4", "GPT-5"), ("a.b@x.org", "a.c@x.org"),
    ("example.org", "example.org/a"), ("example.org/a", "example.org"),
    ("2015–18", "2018–15"), ("5", "-5"), ("two", "three"), ("1.5 million", "1.5 billion"), ("1.5 million", "1.5"),
    ("12 hours", "1 hour or 2"), ("03/2014", "April 2014"), ("24/2014", "April 2014"), ("3.2014", "March 2014"),
]  # fmt: skip
NO_VALUES = [
    "one of the maps", "a map and an atlas", "the first part", "she may open it", "they march on", "no one came",
    "1. Orchard", "- 2. Orchard",
    "(1) pens and (2) ink", "zero-shot learning", "both maps", "thousands of maps", "I, Robot",
]  # fmt: skip


def supports(source, answer):
    index = ValueIndex(plain(source), "en")
    wanted = values.demanded(plain(answer), "en")
    assert wanted, f"no value in {answer!r}"
    return all(index.supports(value) for value in wanted)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", "March 2014"), ("pt", "março de 2014"), ("es", "marzo de 2014"), ("fr", "mars 2014"),
        ("de", "März 2014"), ("ru", "март 2014"), ("ar", "مارس 2014"), ("fa", "مارس 2014"),
        ("hi", "मार्च 2014"), ("zh", "2014年3月"),
    ],
)  # fmt: skip
def test_a_month_in_digits_is_the_month_that_its_language_names(code, said):
    index = ValueIndex(plain(f"({said})"), code)
    for written, same in [("03/2014", True), ("3/2014", True), ("04/2014", False), ("03/2015", False)]:
        wanted = values.demanded(plain(f"({written})"), code)
        assert wanted
        assert all(index.supports(value) for value in wanted) is same, written


def test_a_point_before_a_year_parts_decimals_only_where_it_may():
    assert ValueIndex(plain("seit 3.2014"), "de").supports(values.demanded(plain("März 2014"), "de")[0])
    assert not ValueIndex(plain("since 3.2014"), "en").supports(values.demanded(plain("March 2014"), "en")[0])


@pytest.mark.parametrize(("one", "other"), SAME)
def test_one_value_in_two_notations_supports_itself_both_ways(one, other):
    assert supports(f"It was {one} there.", f"It was {other} there.")
    assert supports(f"It was {other} there.", f"It was {one} there.")


@pytest.mark.parametrize(("source", "answer"), PARTS)
def test_a_source_supports_what_its_values_imply(source, answer):
    assert supports(f"It was {source} there.", f"It was {answer} there.")


@pytest.mark.parametrize(("source", "answer"), OTHER)
def test_another_value_is_not_supported(source, answer):
    assert not supports(f"It was {source} there.", f"It was {answer} there.")


@pytest.mark.parametrize("text", NO_VALUES)
def test_articles_ordinals_numbering_and_verbs_are_no_values(text):
    assert values.demanded(plain(text), "en") == []


@given(st.integers(0, 10**9), st.sampled_from([",", " ", "\u00a0", "\u202f", ""]))
def test_grouped_digits_read_as_the_number(number, separator):
    written = f"{number:,}".replace(",", separator)
    found = values.read(f"it was {written} there", "en")
    assert [value.readings for value in found] == [(f"#{number}",)]


@given(st.integers(0, 999), st.integers(0, 999_999))
def test_a_decimal_is_never_the_digits_run_together(whole, decimals):
    written = f"{whole}.{decimals}"
    assert read_number(written, load("en").numbers) == written
    assert not supports(f"It was {written} there.", f"It was {whole}{decimals} there.")


@given(st.integers(0, 9_999_999), st.sampled_from("٠۰०０"))
def test_digits_of_all_scripts_fold_to_the_same_number(number, zero):
    written = "".join(chr(ord(zero) + int(digit)) for digit in str(number))
    assert plain(written) == str(number)


CHARACTERS = {
    **dict(zip("〇一二三四五六七八九", range(10), strict=True)),
    "十": 10,
    "百": 100,
    "千": 1000,
    "万": 10_000,
    "亿": 100_000_000,
    "两": 2,
}


@pytest.mark.parametrize(
    ("run", "value"),
    [
        ("三百五十", 350), ("二〇一九", 2019), ("十五", 15), ("两千", 2000), ("一亿二千万", 120_000_000),
        ("一万二千亿", 1_200_000_000_000), ("三点五", 3.5), ("百", None), ("一万", 10_000),
    ],
)  # fmt: skip
def test_chinese_numerals_are_read(run, value):
    assert read_characters(run, CHARACTERS) == value


def test_chinese_goes_on_behind_a_name_without_a_space():
    assert [value.text for value in values.read("用k8s部署2017个节点，s3.v2存储", "zh")] == ["k8s", "2017", "s3.v2"]


@pytest.mark.parametrize(
    ("token", "value"),
    [("1.200", "1200"), ("12.400.000", "12400000"), ("3.5", "3.5"), ("0.125", "0.125"), ("1,200.5", "1200.5"),
     ("1.200,50", "1200.50"), ("3,5", "3.5"), ("1,200", None)],
)  # fmt: skip
def test_a_mark_with_both_uses_groups_what_it_can(token, value):
    assert read_number(token, load("es").numbers) == value


def test_a_value_is_found_wherever_it_stands_in_a_source():
    source = "In 2016 it ran. It was 16 once. The 5 ran on 3 May. We saw 5 and 5. Then five. It had 5 parts of 8 maps."
    index = ValueIndex(plain(source), "en")
    held = [index.supports(value) for value in values.demanded("16, 5, 8 and 20 ran on 3 may, five of 2016", "en")]
    assert held == [True, True, True, False, True, True, True]
