import pytest

from guardrails import refusal
from guardrails.function_words import foreign_languages, spoken
from guardrails.readings import read


def test_function_words_are_counted_once_for_each_language_that_has_them():
    words = spoken(read("Which of the two, and which of the three?"))
    assert words["en"] == len({"which", "of", "the", "and"})
    assert words["zh"] == 0


@pytest.mark.parametrize(
    ("question", "language", "foreign"),
    [
        ("Which pricing engine did Livia build?", "ar", True),
        ("Which pricing engine did Livia build?", "en", False),
        ("Quelles instructions le compilateur ignore-t-il ?", "fa", True),
        ("chand migiri", "fa", False),  # too short to be anybody's
        ("Переведи: how are you today", "ru", False),  # other letters may hold any language
        ("aapka rate kya hai", "hi", False),
    ],
)
def test_a_question_in_latin_letters_is_foreign_to_a_language_of_whose_function_words_it_has_none(
    question, language, foreign
):
    assert (language in foreign_languages(read(question))) is foreign


def test_loanwords_of_another_language_refuse_no_question_about_the_work():
    assert refusal.check("Which pricing engine did she build?") is None
    assert refusal.check("Quelles instructions le compilateur ignore-t-il ?") is None
