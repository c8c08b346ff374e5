"""How a turn looks on the page: numbered sources, marks of lists and headings, what ends it."""

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.events import Done, Notice, Refusal, Released, Similarities, SourceReference
from assistant.presentation import Run, ShownSentence, ShownTurn


def released(*urls: str) -> Released:
    references = [SourceReference("gauge", "article", "A tide gauge", 1, url, 0, 1, url) for url in urls]
    return Released("It stands at the quay.", "en", tuple(references))


def turn() -> ShownTurn:
    return ShownTurn(uuid.uuid4(), "Where?", "en")


def sentence(text: str) -> ShownSentence:
    return ShownSentence(text, "en", (), ())


def test_a_source_keeps_its_number_through_the_answer():
    shown = turn()
    first = shown.add(released("/a", "/b"))
    second = shown.add(released("/b", "/c", "/b"))
    assert [source.number for source in first.sources] == [1, 2]
    assert [source.number for source in second.sources] == [2, 3]
    assert [source.number for source in second.new] == [3]
    assert list(shown.sources) == ["/a", "/b", "/c"]


@pytest.mark.parametrize(
    ("text", "shape", "shown"),
    [
        ("Plain.", "plain", "Plain."),
        ("- An item.", "item", "An item."),
        ("\n* An item.", "item", "An item."),
        ("2. Second.", "item", "2. Second."),
        ("## Winter", "heading", "Winter"),
        ("-5 degrees.", "plain", "-5 degrees."),
        ("2019 was wet.", "plain", "2019 was wet."),
    ],
)
def test_a_mark_at_the_beginning_gives_the_shape(text, shape, shown):
    assert sentence(text).shape == shape
    assert "".join(run.text for run in sentence(text).runs) == shown


def test_bold_is_bold_and_a_lonely_mark_is_text():
    assert sentence("At **50 Hz**.").runs == [Run("At ", bold=False), Run("50 Hz", bold=True), Run(".", bold=False)]
    assert sentence("2 ** 3 is 8.").runs == [Run("2 ** 3 is 8.", bold=False)]


@given(st.text())
def test_no_text_is_lost_but_marks(text):
    kept = "".join(run.text for run in sentence(text).runs)
    assert kept.replace("*", "") in text.replace("*", "")
    if sentence(text).shape == "plain":
        assert kept.replace("*", "") == text.replace("*", "")


def test_a_refusal_stays_the_ending_when_the_turn_is_done():
    shown = turn()
    shown.end(Refusal("meta", "No."))
    shown.end(Done("refusal", False, False, Similarities(None, None), Similarities(None, None), (), None, 0, 1, None))
    assert (shown.kind, shown.ending.text, shown.running) == ("refusal", "No.", False)
    assert turn().running
    stopped = turn()
    stopped.end(Notice("stopped", "Stopped."))
    assert stopped.kind == "notice"
