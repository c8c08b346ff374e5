"""Centring subtracts what a language's texts share, and falls back to what all have in common."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records import spaces
from records.centring import Centring, Role, mean, normalise

numbers = st.floats(-1, 1, allow_subnormal=False)
QUERY, PASSAGE = Role.QUERY, Role.PASSAGE

centring = Centring(
    means={("en", QUERY): [1.0, 0.0], ("fa", QUERY): [0.0, 1.0], ("en", PASSAGE): [0.5, 0.5]},
    overall={QUERY: [0.5, 0.5], PASSAGE: [0.5, 0.5]},
)


def test_each_language_and_role_has_its_own_mean():
    assert centring.centre([1.0, 2.0], "en", QUERY) == [0.0, 1.0]
    assert centring.centre([1.0, 2.0], "fa", QUERY) == pytest.approx([math.sqrt(0.5)] * 2)
    assert centring.centre([3.5, 4.5], "en", PASSAGE) == pytest.approx([0.6, 0.8])


def test_a_language_without_background_takes_the_mean_over_all():
    assert centring.centre([3.5, 4.5], "de", QUERY) == pytest.approx([0.6, 0.8])


def test_another_embedders_vector_is_an_error():
    with pytest.raises(ValueError, match="zip"):
        centring.centre([1.0, 0.0, 0.0], "en", QUERY)


@given(st.lists(numbers, min_size=1, max_size=6))
def test_a_normalised_vector_has_length_one_or_none(vector):
    assert math.hypot(*normalise(vector)) == pytest.approx(1.0 if any(vector) else 0.0)


@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=6))
def test_the_mean_lies_within_its_vectors(vectors):
    for column, middle in zip(zip(*vectors, strict=True), mean(vectors), strict=True):
        assert min(column) - 1e-9 <= middle <= max(column) + 1e-9


@pytest.mark.parametrize("language", spaces.background())
@pytest.mark.parametrize("role", Role)
def test_a_languages_background_is_thirty_different_questions_and_as_many_statements(language, role):
    sentences = spaces.background()[language][role]
    assert len(set(sentences)) == len(sentences) == 30
    assert all(len(sentence) > 5 and sentence == sentence.strip() for sentence in sentences)
    assert all((sentence[-1] in "?؟？") == (role is Role.QUERY) for sentence in sentences)
