from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from records.grams import CONTEXT, MOST, OWN, grams, numbers, pack, unpack

WORDS = st.lists(st.text(alphabet="abcйक中", min_size=1, max_size=8), max_size=12)


def test_trigrams_inside_words_and_short_words_whole():
    assert list(grams(["night", "of", "flow", "水", "水管"])) == ["nig", "igh", "ght", "of", "flo", "low", "水", "水管"]


def test_forms_of_one_word_share_grams():
    assert len(set(grams(["квартиры"])) & set(grams(["квартирами"]))) == 5


@given(WORDS, WORDS)
def test_what_is_packed_is_unpacked(own, context):
    expected = Counter()
    for gram in grams(own):
        expected[gram] += OWN
    for gram in grams(context):
        expected[gram] += CONTEXT
    packed, counts = unpack(pack(own, context))
    assert sorted(packed.tolist()) == packed.tolist() == numbers([*own, *context]).tolist()
    assert sorted(counts.tolist()) == sorted(min(count, MOST) / OWN for count in expected.values())
