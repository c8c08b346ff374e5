import pytest

from records import rarity
from records.grams import numbers
from records.models import SearchEntry
from tests.records.drafts import published

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch):
    monkeypatch.setattr(rarity, "_known", {})


def newest():
    return SearchEntry.objects.order_by("-pk").values_list("pk", flat=True).first()


def test_a_small_corpus_is_its_own_sample_and_known_at_once():
    published("one", "Night flow and night shifts.")
    published("two", "The flow of a river.")
    known = rarity.of(newest(), "en")
    assert (known.size, known.sampled) == (2, 2)
    assert [known.passages_with(word) for word in ("flow", "night", "weir")] == [2, 1, 0]
    published("three", "A weir.")
    assert rarity.of(newest(), "en").passages_with("weir") == 1


def test_what_only_some_may_read_tells_nobody_how_common_its_words_are():
    published("one", "Night flow.")
    published("secret", "Night weir.", access="private")
    known = rarity.of(newest(), "en")
    assert (known.size, known.sampled) == (2, 1)
    assert [known.passages_with(word) for word in ("night", "weir")] == [2, 0]


def test_an_article_of_a_language_with_few_passages_is_common_in_it():
    for number in range(8):
        published(f"flow-{number}", "The flow.")
    published("pegel", texts={"de": "Der Pegel."})
    published("brunnen", texts={"de": "Der Brunnen."})
    german = rarity.of(newest(), "de")
    assert german.weights(numbers(["der"])) < rarity.known().weights(numbers(["der"]))
    assert german.weights(numbers(["der"])) < german.weights(numbers(["pegel"])).min()


def test_in_a_language_without_passages_all_grams_weigh_the_same():
    published("one", "Night flow.")
    assert len(set(rarity.of(newest(), "hi").weights(numbers(["night", "weir"])).tolist())) == 1


def test_of_the_whole_corpus_as_much_is_known_as_of_the_language():
    published("one", "Night flow.")
    rarity.of(newest(), "en")
    published("two", texts={"de": "Ein Wehr."})
    rarity.of(newest(), "en")
    assert rarity.known().passages_with("wehr") == 1
    assert rarity.known("en").passages_with("wehr") == 0


def test_what_is_rare_weighs_more():
    for number in range(3):
        published(f"flow-{number}", "flow")
    published("weir", "weir")
    known = rarity.of(newest(), "en")
    common, rare, unknown = (known.weights(numbers([word])).min() for word in ("flow", "weir", "zzz"))
    assert 0 < common < rare < unknown


def test_a_sample_stands_for_the_whole(monkeypatch):
    monkeypatch.setattr(rarity, "SAMPLE", 2)
    for number in range(4):
        published(f"flow-{number}", "Night flow.")
    known = rarity.of(newest(), "en")
    assert (known.sampled, known.size, known.passages_with("flow")) == (2, 4, 4)


def test_a_large_corpus_sample_is_kept_for_a_while(monkeypatch):
    monkeypatch.setattr(rarity, "SAMPLE", 1)
    published("one", "Night flow.")
    known = rarity.of(newest(), "en")
    published("two", "A weir.")
    assert rarity.of(newest(), "en") is known
    monkeypatch.setattr(rarity, "KEPT_SECONDS", 0.0)
    assert rarity.of(newest(), "en") is not known


def test_a_corpus_that_has_doubled_is_read_at_once(monkeypatch):
    monkeypatch.setattr(rarity, "SAMPLE", 1)
    published("one", "Night flow.")
    known = rarity.of(newest(), "en")
    assert rarity.of(2 * newest(), "en") is known
    assert rarity.of(2 * newest() + 1, "en") is not known
