"""The words that keyword search goes by come from our folding alone, and reach PostgreSQL as they are."""

import pytest
from django.contrib.auth.models import User
from django.contrib.postgres.search import SearchVectorField
from django.db.models import TextField, Value
from django.db.models.functions import Cast
from hypothesis import given
from hypothesis import strategies as st

from records.lexemes import terms, tsquery, tsvector, with_han_singles


@pytest.mark.parametrize(
    ("text", "same"),
    [("Vazão à noite", "vazao a noite"), ("ＦＬＯＷ １２", "flow 12"), ("كتاب", "کتاب"), ("Ёлка", "елка")],
)
def test_spellings_that_readers_mix_up_give_the_same_words(text, same):
    assert terms(text, "en") == terms(same, "en")


def test_hindi_words_keep_their_vowel_signs():
    assert terms("पुल की निगरानी", "hi")[0].startswith("पु")
    assert len(terms("पुल की निगरानी", "hi")) == 3


def test_han_pairs_bring_their_characters():
    assert with_han_singles(["水位", "pump", "桥"]) == ["水位", "水", "位", "pump", "桥"]


def test_own_words_outweigh_those_of_the_context():
    assert tsvector(own=["bridge"], context=["bridge", "norrow"]) == "'bridge':1A 'norrow':1D"


def test_a_word_that_no_server_takes_is_cut_alike_on_both_sides():
    assert tsquery(["é" * 5000]) == tsvector(["é" * 5000], []).removesuffix(":1A") == "'" + "é" * 250 + "'"


def test_no_words_make_no_query():
    assert tsquery([]) is None


@pytest.mark.django_db
@given(
    st.lists(
        st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), min_size=1, max_size=20),
        max_size=5,
    )
)
def test_any_word_survives_the_literal(words):
    User.objects.get_or_create(username="one-row")
    literal = Cast(Value(tsvector(words, [])), SearchVectorField())
    read = User.objects.annotate(read=Cast(literal, TextField())).values_list("read", flat=True).get()
    assert read.count(":1A") >= len(set(words))
