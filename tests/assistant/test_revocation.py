"""What is revoked leaves the stored answers; what is only withdrawn stays in them."""

import pytest
from django.utils import timezone

from assistant.models import Citation, Conversation, Sentence, Turn
from assistant.revocation import erase_revoked
from records.models import Record, RecordVersion
from records.publishing import revoke, withdraw

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def sentence(small_site):
    """A stored sentence that cites the article."""
    conversation = Conversation.objects.create(language="en")
    turn = Turn.objects.create(
        conversation=conversation, ordinal=1, question="?", language="en", deadline=timezone.now()
    )
    sentence = Sentence.objects.create(turn=turn, ordinal=1, text="Its battery lasted 412 days.", language="en")
    Citation.objects.create(sentence=sentence, ordinal=1, version=RecordVersion.objects.get())
    return sentence


def test_a_sentence_that_cites_revoked_text_is_emptied_once(sentence):
    revoke(Record.objects.get())
    assert erase_revoked() == 1
    assert erase_revoked() == 0
    sentence.refresh_from_db()
    assert sentence.text == ""


def test_withdrawn_text_stays_in_the_answers_that_cited_it(sentence):
    withdraw(Record.objects.get())
    assert erase_revoked() == 0
    sentence.refresh_from_db()
    assert sentence.text
