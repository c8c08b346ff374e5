import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.plain import plain, rough_words


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("Habló DE Ações", "habló de ações"),
        ("بِسْمِ كتاب می\u200cشود", "بسم کتاب می شود"),
        ("ऩगर फ़ोन पाँच", "नगर फोन पांच"),
        ("Ёж １２ ٣۴५ ％", "еж 12 345 %"),
        ("soft\u00adhyphen\u200b", "softhyphen"),
    ],
)
def test_case_digits_and_signs_are_one_and_accents_stay(written, expected):
    assert plain(written) == expected


@given(st.text(alphabet="aÉßяйहनऩफ़ड\u093c\u0301أؤيآ\u064b\u0654１،， ", max_size=40))
def test_composed_and_decomposed_forms_are_equal(text):
    forms = {plain(unicodedata.normalize(form, text)) for form in ("NFC", "NFD")}
    assert len(forms) == 1


@given(st.text(max_size=40))
def test_the_plain_form_of_a_plain_form_is_itself(text):
    once = plain(plain(text))
    assert plain(once) == once


def test_words_are_parted_by_spaces_and_punctuation_of_all_scripts():
    assert rough_words("one,two «three»") == ["one", "two", "three"]
    assert rough_words("كتاب، قلم؛ चार।五。六") == ["كتاب", "قلم", "चार", "五", "六"]
