from math import log

import pytest

from guardrails.negation import denies
from guardrails.plain import plain
from guardrails.sources import Source
from guardrails.support import lacks_support
from guardrails.text import content_words

SOURCE = Source("The mill opened in 2017 and was never closed. Its maps show the river Saar.", "en")


@pytest.mark.parametrize(
    "text",
    ["The mill opened in 2017.", "The mill was not closed.", "Its maps show the river.", "The Saar maps of the mill"],
)
def test_sentences_made_of_the_source_are_supported(text):
    assert lacks_support(text, "en", [SOURCE], [SOURCE]) is None


@pytest.mark.parametrize("text", ["A bakery sells bread in Lyon.", "Excellent ovens heat the mill."])
def test_other_words_are_not(text):
    assert "carry" in lacks_support(text, "en", [SOURCE], [SOURCE])


def test_a_denial_that_no_source_has_is_not_supported():
    plain_source = Source("The mill opened in 2017.", "en")
    assert lacks_support("The mill never opened.", "en", [plain_source], [plain_source])


def test_sources_in_another_language_are_not_compared():
    assert lacks_support("A bakery sells bread.", "en", [Source("Die Bäckerei.", "de")], []) is None


@pytest.mark.parametrize(
    ("text", "denial"),
    [("It can't run.", True), ("Nothing ran.", True), ("A knot in a note.", False), ("It can run.", False)],
)
def test_denials_are_whole_words(text, denial):
    assert denies(plain(text), "en") is denial


def test_a_denial_of_something_else_in_the_source_is_no_support():
    assert lacks_support("The maps never show the river Saar.", "en", [SOURCE], [SOURCE])
    assert lacks_support("The mill did not open in 2017, and was never closed.", "en", [SOURCE], [SOURCE]) is None


@pytest.mark.parametrize("text", ["The mill opened in 2017, and its doors were never closed.", "It was never closed."])
def test_two_sentences_joined_keep_the_denial_of_the_shorter(text):
    long = Source("The mill by the river Saar opened in 2017 with nine looms of oak and steel. Never closed.", "en")
    assert lacks_support(text, "en", [SOURCE, long], [SOURCE, long]) is None


def test_the_words_of_its_sentences_are_the_words_of_a_source():
    for text in (SOURCE.text, "Nr. 5 ist… da.\n\n- Was? Nein!", "磨坊于2017年开业。它从未关闭！", "यह चक्की है। बंद नहीं।"):
        source = Source(text, "zh" if "磨" in text else "de")
        assert frozenset().union(*[sentence.words for sentence in source.sentences]) == source.content_words


@pytest.mark.parametrize("others", [[], [Source("Looms of oak and steel.", "en")] * 7])
def test_coverage_is_weighed_over_all_that_the_source_says(others):
    text = "The mill by the river opened early. A ferry crossed the canal. Barges carried cement. Nobody counted them."
    judged = set()
    for sentence in ("A ferry crossed the river by the mill.", "Barges opened early, boats late.", "Oak ferries ran."):
        source = Source(text, "en")
        delivered = [source, *others]
        weights = {
            word: 1 + log((len(delivered) + 1) / (1 + sum(word in each.content_words for each in delivered)))
            for word in content_words(sentence, "en")
        }
        carried = sum(weight for word, weight in weights.items() if word in source.content_words)
        judged.add(carried < sum(weights.values()) / 2)
        assert bool(lacks_support(sentence, "en", [Source(text, "en")], delivered)) is (
            carried < sum(weights.values()) / 2
        )
    assert judged == {True, False}
