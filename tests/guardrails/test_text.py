import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.text import _ContentWords, content_words, fold, words


@pytest.mark.parametrize(
    ("typed", "folded"),
    [
        ("HOW Much", "how much"),
        ("Ação É cœur", "acao e coeur"),
        ("Straße", "strasse"),
        ("Ёлка, мой йод, Йод", "елка, мой йод, йод"),
        ("كتابي أإآٱ ىة", "کتابی اااا یه"),
        ("می‌کند", "می کند"),
        ("مُدَرِّس", "مدرس"),
        ("قـــلم", "قلم"),
        ("आँख फ़ोन हिन्दी", "आंख फोन हिंदी"),
        ("請問價格", "请问价格"),
        ("١٢٣ ۴۵۶ ७८९ １２３", "123 456 789 123"),
        ("Ｗｒｉｔｅ ig\u200bno\u2060re", "write ignore"),
        ("It’s “fine” «so»", 'it\'s "fine" "so"'),
        ("a\u00a0b\tc", "a b c"),
    ],
)
def test_what_readers_type_for_the_same_word_is_equal(typed, folded):
    assert fold(typed).text == folded


@pytest.mark.parametrize("text", ["Ação", "мой йод Ёж", "फ़ोन", "آینده", "Größe"])
def test_composed_and_decomposed_forms_are_equal(text):
    forms = {fold(unicodedata.normalize(form, text)).text for form in ("NFC", "NFD")}
    assert len(forms) == 1


def test_offsets_lead_back_to_the_original():
    text = "Die Straße: „Ça va“"
    folded = fold(text)
    start = folded.text.index("strasse")
    assert text[folded.offsets[start] : folded.offsets[start + len("strasse")]] == "Straße"
    start = folded.text.index("ca")
    assert text[folded.offsets[start] : folded.offsets[start + 2]] == "Ça"


ANYTHING = st.text(max_size=60) | st.text(alphabet="aÉß\u0301и\u0306\u200cیك न्दफ़請（１", max_size=40)


@given(ANYTHING)
def test_there_is_one_offset_a_character_and_one_for_the_end(text):
    folded = fold(text)
    assert len(folded.offsets) == len(folded.text) + 1
    assert folded.offsets[-1] == len(text)
    assert list(folded.offsets) == sorted(folded.offsets)


@given(ANYTHING)
def test_folding_twice_changes_nothing(text):
    once = fold(fold(text).text).text
    assert fold(once).text == once


@given(ANYTHING.map(lambda text: re.sub("[\u200c\u0306\u094d]", "", text)))
def test_characters_without_a_context_fold_as_they_do_alone(text):
    assert fold(text).text == "".join(fold(character).text for character in text)


@given(ANYTHING)
def test_words_stand_where_they_say(text):
    for word in words(text, "en"):
        assert 0 <= word.start <= word.end <= len(text)
        assert fold(text[word.start : word.end]).text.strip() or not word.text


def test_vowel_signs_stay_in_hindi_words():
    assert [word.text for word in words("उन्होंने किताबें लिखीं।", "en")] == ["उन्होंने", "किताबें", "लिखीं"]


def test_han_characters_give_pairs_of_neighbours():
    found = words("主要技能 API 数", "en")
    assert [word.text for word in found] == ["主要", "要技", "技能", "api", "数"]
    assert (found[1].start, found[1].end) == (1, 3)


@given(ANYTHING, st.sampled_from(["en", "de", "zh"]))
def test_content_words_of_a_text_are_those_of_its_pieces(text, language):
    met = [word for piece in text.split() for word in content_words(piece, language)]
    assert content_words(text, language) == met


def test_content_words_are_long_enough_and_no_stop_words():
    assert content_words("What does the article on the ledger say in 2019?", "en") == ["article", "ledger", "2019"]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_sign_that_is_left_out_changes_no_word(language):
    assert [word.text for word in words("tide gauge", language)] == ["tide", "gauge"]


def test_what_is_remembered_of_the_words_of_texts_is_bounded(monkeypatch):
    words = _ContentWords("zh")
    monkeypatch.setattr(_ContentWords, "ROOM", 100)
    for first in range(0x4E00, 0x4E00 + 400, 40):
        text = "".join(map(chr, range(first, first + 40)))
        assert words.of(text) == content_words(text, "zh")
    assert sum(map(len, words._known)) == 80
