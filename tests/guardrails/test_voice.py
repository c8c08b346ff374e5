import pytest

from guardrails.belt import first_person_word
from guardrails.candidate import Candidate, LatchRules
from guardrails.sources import Source

SOURCE = (
    'The essay How I Learned to Draw Rivers says "we drew every river twice" and was hired by We Are Rivers. '
    "I. Newton is quoted, and *My Maps* is a book."
)
SPEECH = [
    "I drew maps.", "She told me so.", "In my opinion it works.", "We drew maps.", "It is ours.", "Let us see.",
    "It was mine.", "I'm sure.",
    "So did I.", "“We never drew a river”, she said.", "WE DREW MAPS.", "The maps were drawn by us.",
    "“How I sold rivers” is her essay.",
]  # fmt: skip
SILENT = [
    "The I/O module.", "World War I maps.", "It is phase I of three.", "She moved to the US.",
    "The mine is closed.", "She mined the data.",
    "“We drew every river twice”, she said.", "How I Learned to Draw Rivers is an essay.",
    "We Are Rivers hired her.", "A law by I. Newton.",
    "*My Maps* is a book.", "MySQL and iOS.", "Status, virus, campus.", "i.e. a map.",
]  # fmt: skip


def spoken(text):
    return first_person_word(Candidate(text, (1,), "en", [Source(SOURCE, "en")], LatchRules()))


@pytest.mark.parametrize("text", SPEECH)
def test_first_person_is_found(text):
    assert spoken(text)


@pytest.mark.parametrize("text", SILENT)
def test_names_titles_quotations_and_parts_of_words_are_no_speech(text):
    assert spoken(text) is None
