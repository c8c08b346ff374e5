import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrails.one_of import one_of

PHRASES = st.lists(st.text("ab. é", min_size=1, max_size=4), max_size=8)


@given(PHRASES, st.text("ab. éx", max_size=12))
def test_it_finds_what_an_alternation_by_length_finds(phrases, text):
    by_length = "|".join(map(re.escape, sorted(phrases, key=len, reverse=True))) or "(?!)"
    assert re.findall(one_of(phrases), text) == re.findall(by_length, text)


@pytest.mark.parametrize(("text", "found"), [("per cent", "per cent"), ("per cents", "per"), ("pert", None)])
def test_what_must_follow_a_phrase_belongs_to_that_phrase(text, found):
    expression = re.compile(one_of(["per", "per cent"], after=lambda phrase: r"(?!\w)"))
    match = expression.match(text)
    assert (match and match.group()) == found
