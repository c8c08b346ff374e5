import pytest

from guardrails.linking import is_linking
from guardrails.sources import Source

SOURCES = [Source("The Orchard workshop opened with one press.", "en")]


@pytest.mark.parametrize(
    "text",
    ["Here is a short summary:", "Projects:", "---", "## The Orchard workshop", "In short:", "**Further details**", ""],
)
def test_sentences_that_only_link_need_no_source(text):
    assert is_linking(text, "en", SOURCES, has_value=False)


@pytest.mark.parametrize(
    "text", ["She won awards.", "Here is a short summary of the Orchard workshop.", "Orchard burned."]
)
def test_sentences_that_say_something_do(text):
    assert not is_linking(text, "en", SOURCES, has_value=False)


def test_a_value_is_never_linking():
    assert not is_linking("Projects:", "en", SOURCES, has_value=True)
