import pytest

from records import rarity
from records.grams import numbers
from records.models import SearchEntry
from tests.records.drafts import published

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch):
    monkeypatch.setattr(rarity, "_known", [])


def newest():
    return SearchEntry.objects.order_by("-pk").values_list("pk", flat=True).first()


def test_a_small_corpus_is_its_own_sample_and_known_at_once():
    published("one", "Night flow and night shifts.")
    published("two", "The flow of a river.")
    known = rarity.of(newest())
    assert (known.size, known.sampled) == (2, 2)
    assert [known.passages_with(word) for word in ("flow", "night", "weir")] == [2, 1, 0]
    published("three", "A weir.")
    assert rarity.of(newest()).passages_with("weir") == 1


def test_what_only_some_may_read_tells_nobody_how_common_its_words_are():
    published("one", "Night flow.")
    published("secret", "Night weir.", access="private")
    known = rarity.of(newest())
    assert (known.size, known.sampled) == (2, 1)
    assert [known.passages_with(word) for word in ("night", "weir")] == [2, 0]


def test_what_is_rare_weighs_more():
    for number in range(3):
        published(f"flow-{number}", "flow")
    published("weir", "weir")
    known = rarity.of(newest())
    common, rare, unknown = (known.weights(numbers([word])).min() for word in ("flow", "weir", "zzz"))
    assert 0 < common < rare < unknown


def test_a_sample_stands_for_the_whole(monkeypatch):
    monkeypatch.setattr(rarity, "SAMPLE", 2)
    for number in range(4):
        published(f"flow-{number}", "Night flow.")
    known = rarity.of(newest())
    assert (known.sampled, known.size, known.passages_with("flow")) == (2, 4, 4)


def test_a_large_corpus_sample_is_kept_for_a_while(monkeypatch):
    monkeypatch.setattr(rarity, "SAMPLE", 1)
    published("one", "Night flow.")
    known = rarity.of(newest())
    published("two", "A weir.")
    assert rarity.of(newest()) is known
    monkeypatch.setattr(rarity, "KEPT_SECONDS", 0.0)
    assert rarity.of(newest()) is not known
