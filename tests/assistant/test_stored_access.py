"""A stored answer is checked anew for whoever loads it: what is closed or taken back leaves no word and no title."""

import re
import uuid

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group, User
from django.test import Client
from django.utils import timezone

from assistant import journal
from assistant.conversations import history, session_hash
from assistant.events import LeadIn
from assistant.models import Citation, Conversation, Sentence, Turn
from assistant.texts import gone_text
from records.access import PUBLIC, Viewer
from records.models import Access, Record, RecordText, RecordVersion
from records.publishing import publish, revoke, withdraw
from tests.assistant.test_api import QUESTION, events, post

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site")]

GONE = gone_text("en")
TITLE, TEXT = "A tide gauge in winter", "Its battery lasted 412 days."


@pytest.fixture
def group() -> Group:
    return Group.objects.create(name="clients")


@pytest.fixture
def reader(client, group) -> User:
    """Somebody who is signed in and in the group."""
    user = User.objects.create_user("ines")
    user.groups.add(group)
    client.force_login(user)
    return user


@pytest.fixture
def turn(client, reader) -> Turn:
    """What that reader was told of the gauge: a sentence from a passage, with a lead-in, and one from the fields."""
    talk = Conversation.objects.create(language="en", session=session_hash(client.session.session_key))
    turn = Turn.objects.create(
        conversation=talk, ordinal=1, question=QUESTION, language="en", state="done", deadline=timezone.now()
    )
    version = RecordVersion.objects.get()
    placement = version.placements.get()
    place = {"passage": placement.passage, "start": placement.start, "end": placement.end}
    for ordinal, text, cited in [(0, "In English:", place), (1, TEXT, place), (2, "She wrote of it in 2022.", {})]:
        sentence = Sentence.objects.create(turn=turn, ordinal=ordinal, text=text, language="en")
        Citation.objects.create(sentence=sentence, ordinal=1, version=version, **cited)
    Sentence.objects.create(turn=turn, ordinal=3, text="That is all.", language="en")  # links, and rests on nothing
    return turn


def page(client: Client) -> str:
    """What the log of the chat page says."""
    html = client.get("/en/chat/").content.decode()
    return html.partition('id="log"')[2].partition('class="composer"')[0].replace("&amp;", "&").replace("&#x27;", "'")


def links(client: Client) -> list[str]:
    return re.findall(r'<li value="\d+"><a href="([^"]+)"', page(client))


def change(access: Access, group: Group | None = None) -> None:
    record = Record.objects.get(slug="gauge")
    record.access, record.group = access, group
    record.save()
    publish(record)


def test_what_is_open_is_shown_as_it_was_released(client, turn):
    shown = page(client)
    assert all(text in shown for text in (TEXT, TITLE, "In English:", "She wrote of it in 2022.", "That is all."))
    assert GONE not in shown


def test_what_is_closed_leaves_no_word_and_no_title_and_the_rest_stays(client, turn):
    change(Access.PRIVATE)
    shown = page(client)
    assert shown.count(GONE) == 2
    assert "That is all." in shown
    said = shown.replace(QUESTION, "")
    assert not any(text in said for text in (TEXT, TITLE, "In English:", "2022", "gauge", "href"))


def test_it_depends_on_who_loads_it(client, turn, reader, group):
    change(Access.RESTRICTED, group)
    assert TEXT in page(client)
    reader.groups.clear()
    assert TEXT not in page(client)
    reader.is_staff = True
    reader.save()
    assert TEXT in page(client)


def test_what_is_opened_again_stands_there_again(client, turn):
    change(Access.PRIVATE)
    change(Access.PUBLIC)
    assert TEXT in page(client)


def test_what_is_revoked_is_gone_at_once_and_not_only_after_the_sweep(client, turn):
    revoke(Record.objects.get())
    assert Sentence.objects.get(ordinal=1).text == TEXT
    assert TEXT not in page(client)
    assert page(client).count(GONE) == 2


def test_what_is_superseded_or_withdrawn_stays_and_its_links_open_the_version_that_was_cited(client, turn):
    passage, fields = links(client)
    record = Record.objects.get()
    RecordText.objects.update(title="A tide gauge all year")
    publish(record)
    for link in (passage, fields):
        opened = client.get(link).content.decode().replace("&#x27;", "'")
        assert TITLE in opened
        assert "Today's version is 2" in opened
    withdraw(record)
    assert TEXT in page(client)
    for link in (passage, fields):
        opened = client.get(link)
        assert opened.status_code == 200
        assert "This text was withdrawn on" in opened.content.decode()
    revoke(record)
    assert [client.get(link).status_code for link in (passage, fields)] == [410, 410]


@pytest.mark.parametrize("version", ["0", "-1", "1e3", "x", "", "9" * 30, "٣"])
def test_a_version_that_is_none_does_not_exist(client, version):
    assert client.get("/en/article/gauge/", {"version": version}).status_code == 404


def test_a_version_is_opened_by_its_own_record_alone_and_by_those_who_may(client, turn):
    version = RecordVersion.objects.get()
    assert client.get("/en/article/gauge/", {"version": version.pk}).status_code == 200
    assert client.get("/en/cv/gauge/", {"version": version.pk}).status_code == 404
    change(Access.PRIVATE)
    response = client.get("/en/article/gauge/", {"version": version.pk})
    assert response.status_code == 403
    assert TITLE not in response.content.decode()


def test_the_next_question_does_not_build_on_what_is_closed(turn):
    change(Access.PRIVATE)
    (before,) = history(turn.conversation, PUBLIC)
    assert (before.question, before.answer, before.titles) == (QUESTION, "That is all.", ())
    (for_staff,) = history(turn.conversation, Viewer(staff=True))
    assert TEXT in for_staff.answer
    assert for_staff.titles == (TITLE,)


def test_one_question_more_is_put_to_the_database_however_many_sentences(turn, django_assert_num_queries):
    for ordinal in range(4, 30):
        sentence = Sentence.objects.create(turn=turn, ordinal=ordinal, text=TEXT, language="en")
        Citation.objects.create(sentence=sentence, ordinal=1, version=RecordVersion.objects.get())
    with django_assert_num_queries(3):  # sentences, what they cite, and who may open that
        told = journal.sentences_of(turn, PUBLIC)
    assert isinstance(told[0][1], LeadIn)
    assert len(told) == 30


@pytest.mark.usefixtures("fresh_limits")
async def test_a_turn_that_is_joined_again_is_checked_too(browser_client):
    turn = str(uuid.uuid4())
    told = await events(await post(browser_client, question=QUESTION, turn=turn))
    assert "412 days" in " ".join(event.get("text", "") for event in told)
    await sync_to_async(change)(Access.PRIVATE)
    again = await events(await post(browser_client, question=QUESTION, turn=turn))
    sentences = [event for event in again if event["event"] == "sentence"]
    assert len(sentences) == len(told) - 1
    assert {(event["text"], tuple(event["sources"])) for event in sentences} == {(GONE, ())}
