"""What a reader checks an answer by: each sentence with its passage, its version and today's, for who may read."""

import re
import uuid

import pytest
from django.utils import timezone

from assistant.models import Citation, Conversation, Sentence, Turn
from assistant.proofs import LONGEST_EXCERPT, proofs_of
from records.access import PUBLIC
from records.models import Access, Record, RecordText, RecordVersion
from records.publishing import publish, revoke, withdraw
from tests.assistant.test_views import QUESTION, asked

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site", "fresh_limits")]

TEXT = "Its battery lasted 412 days."


@pytest.fixture
def turn() -> Turn:
    """An answer of three sentences: from a passage, from the record's fields, and one that only links."""
    talk = Conversation.objects.create(language="en")
    turn = Turn.objects.create(conversation=talk, ordinal=1, question="?", language="en", deadline=timezone.now())
    version = RecordVersion.objects.get()
    placement = version.placements.get()
    place = {"passage": placement.passage, "start": placement.start, "end": placement.end}
    for ordinal, text, cited in [(0, "In English:", [place]), (1, TEXT, [place, {}]), (2, "In 2022.", [{}])]:
        sentence = Sentence.objects.create(turn=turn, ordinal=ordinal, text=text, language="en")
        for number, where in enumerate(cited, start=1):
            Citation.objects.create(sentence=sentence, ordinal=number, version=version, **where)
    Sentence.objects.create(turn=turn, ordinal=3, text="That is all.", language="en")
    return turn


def publish_anew() -> None:
    RecordText.objects.update(body="It lasted 9 days.")
    publish(Record.objects.get())


def proven(turn: Turn):
    return proofs_of([turn.pk], PUBLIC)[turn.pk]


def test_each_sentence_has_its_own_sources_numbered_through_the_answer(turn):
    first, second, third = proven(turn)
    assert [(proof.number, proof.from_fields) for proof in first.proofs] == [(1, False), (2, True)]
    assert [proof.number for proof in second.proofs] == [2]
    assert (third.text, third.proofs) == ("That is all.", ())


def test_the_passage_is_quoted_from_the_version_that_was_used(turn):
    passage = proven(turn)[0].proofs[0]
    assert "412 days" in passage.excerpt
    assert (passage.version.number, passage.today.number, passage.standing) == (1, 1, "live")
    publish_anew()
    passage = proven(turn)[0].proofs[0]
    assert "412 days" in passage.excerpt
    assert (passage.version.number, passage.today.number, passage.superseded) == (1, 2, True)
    withdraw(Record.objects.get())
    assert proven(turn)[0].proofs[0].standing == "withdrawn"


@pytest.mark.parametrize("taken", [revoke, None], ids=["revoked", "closed"])
def test_what_may_not_be_read_any_more_leaves_no_word_of_its_source(turn, taken):
    record = Record.objects.get()
    if taken:
        taken(record)
    else:
        record.access = Access.PRIVATE
        record.save()
        publish(record)
    assert [sentence.text for sentence in proven(turn)] == ["That is all."]


def test_a_long_passage_is_cut(turn):
    RecordVersion.objects.update(text="long " * LONGEST_EXCERPT)
    Citation.objects.filter(passage__isnull=False).update(start=0, end=5 * LONGEST_EXCERPT)
    assert len(proven(turn)[0].proofs[0].excerpt) <= LONGEST_EXCERPT + 2


def test_more_sentences_and_turns_cost_no_more_statements(turn, django_assert_num_queries):
    version = RecordVersion.objects.get()
    more = [turn.pk]
    for ordinal in range(2, 6):
        other = Turn.objects.create(
            conversation=turn.conversation, ordinal=ordinal, question="?", language="en", deadline=timezone.now()
        )
        more.append(other.pk)
        for number in range(1, 4):
            sentence = Sentence.objects.create(turn=other, ordinal=number, text=TEXT, language="en")
            Citation.objects.create(sentence=sentence, ordinal=1, version=version)
    with django_assert_num_queries(3):  # sentences; what they cite; who may open that
        assert len(proofs_of(more, PUBLIC)) == 5
    publish_anew()
    with django_assert_num_queries(4):  # and what is live today
        assert len(proofs_of(more, PUBLIC)) == 5


def test_no_turn_and_an_unknown_one_have_none():
    assert proofs_of([], PUBLIC) == {}
    assert proofs_of([uuid.uuid4()], PUBLIC) == {}


async def test_the_page_shows_what_each_sentence_rests_on(browser_client):
    page = await asked(browser_client, QUESTION)
    evidence = re.search(r'<details class="evidence">.*?</details>', page, flags=re.DOTALL)[0]
    assert re.search(
        r'<a href="/passages/\d+/\w+/\?lang=en#passage" lang="en" dir="auto">A tide gauge in winter</a>', evidence
    )
    assert "<blockquote" in evidence
    assert "Article · " in evidence
    assert "2022" in evidence
    assert "This is version 1, today's version." in evidence


async def test_an_answer_without_a_sentence_has_no_evidence(browser_client):
    assert 'class="evidence"' not in await asked(browser_client, "How much do you charge?")
