"""Dates and numbers as readers of each language write them, no more exact than the owner was."""

from dataclasses import dataclass
from datetime import date

import pytest
from django.utils.translation import override

from records.conventions import day, decimal, number, period


@dataclass(frozen=True)
class Span:
    start: date | None
    start_precision: str = "month"
    end: date | None = None
    end_precision: str = "month"
    current: bool = False


@pytest.mark.parametrize(
    ("language", "year", "month", "whole"),
    [
        ("en", "2021", "March 2021", "March 7, 2021"),
        ("fa", "۲۰۲۱", "مارس ۲۰۲۱", "۷ مارس ۲۰۲۱"),
        ("ar", "2021", "مارس 2021", "7 مارس 2021"),
        ("es", "2021", "marzo de 2021", "7 de marzo de 2021"),
        ("pt", "2021", "março de 2021", "7 de março de 2021"),
        ("fr", "2021", "mars 2021", "7 mars 2021"),
        ("de", "2021", "März 2021", "7. März 2021"),
        ("ru", "2021", "март 2021 г.", "7 марта 2021 г."),
        ("hi", "2021", "मार्च 2021", "7 मार्च 2021"),
        ("zh", "2021年", "2021年3月", "2021年3月7日"),
    ],
)
def test_a_date_is_written_as_far_as_it_is_known(language, year, month, whole):
    written = [day(date(2021, 3, 7), language, precision) for precision in ("year", "month", "day")]
    assert [text.replace("\u202f", " ").replace("\xa0", " ") for text in written] == [year, month, whole]


@pytest.mark.parametrize(
    ("language", "written"), [("en", "1,234.300"), ("fa", "۱٬۲۳۴٫۳۰۰"), ("de", "1.234,300"), ("hi", "1,234.300")]
)
def test_a_decimal_has_the_languages_sign_and_digits(language, written):
    assert decimal(1234.2995, language, 3) == written


def test_the_calendar_stays_that_of_the_record():
    assert day(date(2021, 3, 21), "fa", "year") == "۲۰۲۱"


def test_numbers_have_the_languages_digits_and_grouping():
    assert [number(84_000, language) for language in ("en", "de", "fa", "hi")] == [
        "84,000",
        "84.000",
        "۸۴٬۰۰۰",
        "84,000",
    ]


class TestPeriods:
    def test_from_when_to_when(self):
        span = Span(date(2018, 10, 1), end=date(2020, 5, 1))
        assert period(span, "en") == "October 2018 – May 2020"
        assert period(span, "fa") == "اکتبر ۲۰۱۸ تا مه ۲۰۲۰"
        assert period(span, "zh") == "2018年10月至2020年5月"

    def test_what_still_holds_says_since_when(self):
        assert period(Span(date(2018, 9, 1), current=True), "de") == "seit September 2018"

    def test_the_same_year_is_said_once(self):
        assert period(Span(date(2018, 1, 1), "year", date(2018, 1, 1), "year"), "en") == "2018"

    def test_an_undated_record_has_none(self):
        assert period(Span(None), "en") == ""

    def test_the_language_is_the_one_asked_for_whatever_the_page_speaks(self):
        with override("fa"):
            assert period(Span(date(2018, 9, 1), current=True), "en") == "since September 2018"
