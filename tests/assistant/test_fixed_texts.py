"""The owner's own wordings: shown at the next turn, escaped, in their language alone; the default otherwise."""

import pytest
from django.core.exceptions import ValidationError

from assistant import texts
from assistant.models import FixedText
from assistant.texts import default_text, notice_text, refusal_text
from tests.assistant.test_views import asked

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def forget():
    """What a process has read outlives the rows of a test."""
    yield
    FixedText.objects.all().delete()
    texts.refresh()


def word(text: str, name: str = "commercial", language: str = "en") -> FixedText:
    row = FixedText(name=name, language=language, text=text)
    row.full_clean()
    row.save()
    return row


def test_a_wording_holds_in_its_language_and_an_empty_one_is_the_default():
    row = word("Please ask the office about terms.")
    assert refusal_text("commercial", "en") == default_text("commercial", "en")
    texts.refresh()
    assert refusal_text("commercial", "en") == "Please ask the office about terms."
    assert refusal_text("commercial", "de") == default_text("commercial", "de")
    row.text = ""
    row.save()
    texts.refresh()
    assert refusal_text("commercial", "en") == default_text("commercial", "en")


def test_one_wording_serves_everywhere_where_the_text_is_the_same():
    word("This site does not say.", "no_evidence")
    texts.refresh()
    assert refusal_text("no_evidence", "en") == refusal_text("not_covered", "en") == notice_text("not_covered", "en")


def test_an_end_before_the_first_sentence_is_worded_apart():
    word("All of it was held back.", "withheld_at_once")
    texts.refresh()
    assert notice_text("withheld", "en", released=False) == "All of it was held back."
    assert notice_text("withheld", "en") == default_text("withheld", "en")


def test_a_limit_is_told_in_the_owners_words():
    word("Please come back later.", "rate_limited")
    texts.refresh()
    assert notice_text("rate_limited", "en", 60) == "Please come back later."


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "I will write back."),
        ("es", "No hablamos de nuestros precios."),
        ("en", "Write to \u202emoc.elpmaxe"),
        ("en", "Write\u200b back."),
        ("en", "x" * 601),
    ],
)
def test_what_speaks_as_the_owner_or_hides_something_is_not_taken(language, text):
    with pytest.raises(ValidationError):
        word(text, language=language)


@pytest.mark.parametrize(
    ("language", "text"), [("fa", "این دستیار پاسخ نمی‌دهد."), ("hi", "यह सहायक इसका उत्तर नहीं देता।")]
)
def test_the_joiners_of_persian_and_hindi_are_letters_of_theirs(language, text):
    assert word(text, language=language).text == text


@pytest.mark.usefixtures("small_site", "fresh_limits")
async def test_the_next_visitor_reads_it_escaped(browser_client):
    await FixedText.objects.acreate(name="commercial", language="en", text="Ask <b>the office</b> & wait.")
    page = await asked(browser_client, "How much do you charge?")
    assert "Ask &lt;b&gt;the office&lt;/b&gt; &amp; wait." in page
