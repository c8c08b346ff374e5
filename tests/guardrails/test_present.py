"""“Currently” is said only of what is marked as current, in every language."""

import pytest

from guardrails.language import available, load
from guardrails.latch import Latch
from guardrails.latch_sections import expand
from guardrails.plain import plain
from guardrails.present import says_today
from guardrails.sources import Source

TEXT = "She leads the harbour works. The gauge at present reports by radio."
SAID = {
    "en": ("She currently leads the harbour works", "She concurrently led the works and now rests"),
    "fa": ("او هم‌اکنون کارهای بندر را رهبری می‌کند", "او کارهای بندر را رهبری می‌کند"),
    "ar": ("وحالياً تقود أعمال الميناء", "كانت تقود أعمال الميناء"),
    "es": ("Actualmente dirige las obras del puerto", "Dirigió las obras del puerto hoy conocido"),
    "pt": ("Dirige hoje em dia as obras do porto", "Dirigiu as obras do porto"),
    "fr": ("À l’heure actuelle, elle dirige les travaux du port", "Elle a dirigé les travaux du port"),
    "de": ("Sie leitet derzeit die Arbeiten am Hafen", "Sie leitete den seinerzeitigen Bau"),
    "ru": ("В настоящее время она руководит работами", "Она руководила настоящими работами"),
    "hi": ("वह फ़िलहाल बंदरगाह का काम देखती हैं", "वह बंदरगाह का काम देखती थीं"),
    "zh": ("她目前负责港口工程", "她负责过港口工程"),
}


def stop(sentence, *sources, language="en"):
    latch = Latch(language, sources)
    latch.feed(sentence)
    latch.flush()
    return latch.stop and latch.stop.code


def source(current, text=TEXT):
    return Source(text, "en", current=current)


@pytest.mark.parametrize("code", available())
def test_each_language_tells_a_sentence_of_today_from_one_that_is_not(code):
    today, other = SAID[code]
    assert says_today(plain(today), code)
    assert says_today(plain(other), code) is None


@pytest.mark.parametrize("code", available())
def test_every_entry_of_a_language_is_found(code):
    for phrase in expand(load(code).present.words):
        assert says_today(plain(f"… {phrase}, …"), code), phrase


@pytest.mark.parametrize("code", available())
def test_a_sentence_is_stopped_where_its_source_is_not_current_and_in_no_other_case(code):
    sentence = f"{SAID[code][0]} [1]."
    assert stop(sentence, source(current=False), language=code) == "currently"
    assert stop(sentence, source(current=True), language=code) is None
    assert stop(sentence, source(current=None), language=code) is None


def test_one_current_source_among_those_cited_is_enough():
    said = "She currently leads the harbour works [1][2]."
    assert stop(said, source(current=False), source(current=True)) is None


def test_another_that_is_not_cited_is_not():
    assert stop("She currently leads the works [1].", source(current=False), source(current=True)) == "currently"


def test_what_a_source_says_word_for_word_is_its_own():
    assert stop("The gauge at present reports by radio [1].", source(current=False)) is None
    assert stop("The page says: “The gauge at present reports by radio.” [1]", source(current=False)) is None
    assert stop("The gauge at present reports by cable [1].", source(current=False)) == "currently"
