"""The fixed texts: every one in every language, in the third person, with what the visitor can do instead."""

import pytest
from django.conf import settings

from assistant.texts import (
    LEAD_INS,
    NOTICES,
    REFUSALS,
    default_text,
    lead_in_text,
    notice_text,
    refusal_text,
    still_answering_text,
)
from guardrails import voice
from guardrails.plain import plain

LANGUAGES = [code for code, _name in settings.LANGUAGES]
SCRIPTS = {
    "fa": "\u0600-\u06ff",
    "ar": "\u0600-\u06ff",
    "ru": "\u0400-\u04ff",
    "hi": "\u0900-\u097f",
    "zh": "\u4e00-\u9fff",
}


def every_text(language: str) -> list[str]:
    refusals = [refusal_text(reason, language) for reason in REFUSALS]
    notices = [notice_text(reason, language) for reason in NOTICES]
    notices += [notice_text(reason, language, released=False) for reason in NOTICES]
    waits = [notice_text("rate_limited", language, seconds) for seconds in (20, 400, 4_000, 80_000)]
    own = (still_answering_text(language), *(lead_in_text(spoken, language) for spoken in LEAD_INS))
    return [*refusals, *notices, *waits, *own]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_fixed_text_speaks_as_the_owner_or_as_the_assistant(language):
    for text in every_text(language):
        assert voice.first_person(text, plain(text), language, lambda text=text: text, ()) is None, text


@pytest.mark.parametrize("language", set(LANGUAGES) - {"en"})
def test_each_language_has_texts_of_its_own(language):
    assert not set(every_text(language)) & set(every_text("en"))


@pytest.mark.parametrize(("language", "script"), SCRIPTS.items())
def test_each_text_is_in_its_languages_script(language, script):
    low, high = script.split("-")
    for text in every_text(language):
        assert any(low <= character <= high for character in text), text
        assert "%(" not in text


@pytest.mark.parametrize(
    ("language", "seconds", "end"),
    [
        ("en", 1, "in 1 minute."),
        ("en", 61, "in 2 minutes."),
        ("ru", 30, "через 1 минуту."),
        ("ru", 120, "через 2 минуты."),
        ("ru", 300, "через 5 минут."),
        ("ru", 21 * 60, "через 21 минуту."),
        ("ar", 60, "بعد دقيقة واحدة."),
        ("ar", 120, "بعد دقيقتين."),
        ("ar", 180, "بعد 3 دقائق."),
        ("ar", 11 * 60, "بعد 11 دقيقة."),
        ("fa", 180, "۳ دقیقهٔ دیگر دوباره بپرسید."),
        ("de", 3_600, "in 1 Stunde noch einmal."),
        ("pt", 3_601, "em 2 horas."),
        ("zh", 86_000, "24 小时后再提问。"),
    ],
)
def test_a_limit_says_when_it_is_over_in_the_languages_own_forms(language, seconds, end):
    assert notice_text("rate_limited", language, seconds).endswith(end)


def test_the_limit_of_a_question_is_written_as_readers_write_numbers():
    assert "۲٬۰۰۰" in notice_text("invalid", "fa")
    assert "2.000" in notice_text("invalid", "de")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reason", ["withheld", "truncated", "stopped"])
def test_an_end_before_the_first_sentence_speaks_of_nothing_above_it(reason, language):
    assert notice_text(reason, language, released=False) != notice_text(reason, language)
    assert notice_text(reason, language, released=False) == default_text(f"{reason}_at_once", language)


def test_other_ends_say_the_same_with_and_without_a_sentence_above():
    for reason in NOTICES.keys() - {"withheld", "truncated", "stopped"}:
        assert notice_text(reason, "en", released=False) == notice_text(reason, "en")


def test_there_is_a_lead_in_for_every_language_that_a_text_can_be_in():
    assert set(LEAD_INS) == set(LANGUAGES)
    assert "Englisch" in lead_in_text("en", "de")
