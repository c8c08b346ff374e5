"""Quotations in another language than the reader's: led in by a fixed text of ours, which goes where they go."""

import re

import pytest

from assistant import conversations
from assistant.database import in_database
from assistant.events import LeadIn, Released, as_json, name
from assistant.models import Conversation, Sentence, Turn
from assistant.presentation import shown
from assistant.providers.quoting import Quoting
from assistant.question import Question
from assistant.revocation import erase_revoked
from assistant.turn import answer
from records.access import PUBLIC
from records.models import Record
from records.publishing import revoke

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site", "fresh_limits")]

# Its words find the article by keyword alone: "tide gauge", "Holm Quay" and "battery" are none in Persian.
QUESTION = "tide gauge at Holm Quay چند روز battery کار کرد؟"
GERMAN = "Wie viele Tage hielt die battery am tide gauge Holm Quay?"


async def ask(text: str, language: str = "fa") -> list:
    return [event async for event in answer(Question(text, language), Quoting())]


def sentences(events: list) -> list[Released]:
    return [event for event in events if isinstance(event, Released)]


async def test_the_first_sentence_of_another_language_is_led_in_in_the_readers():
    first, second, *rest = sentences(await ask(QUESTION))
    assert isinstance(first, LeadIn)
    assert first.text == "به بیان خود این سایت، به زبان انگلیسی:"
    assert (first.lang, second.lang) == ("fa", "en")
    assert "412 days" in " ".join(sentence.text for sentence in (second, *rest))
    assert first.sources == second.sources


async def test_it_is_a_sentence_on_the_wire():
    first = sentences(await ask(QUESTION))[0]
    assert name(first) == "sentence"
    assert set(as_json(first)) == {"text", "lang", "sources"}


async def test_it_comes_once():
    assert sum(isinstance(event, LeadIn) for event in await ask(QUESTION)) == 1


async def test_it_follows_the_language_of_the_question_and_not_the_pages():
    [first, *_] = sentences(await ask(GERMAN, "fr"))
    assert (first.text, first.lang) == ("Im Wortlaut dieser Website, auf Englisch:", "de")


async def test_there_is_none_in_the_readers_own_language():
    events = await ask("How many days did the battery of the tide gauge at Holm Quay last?", "en")
    assert sentences(events)
    assert not any(isinstance(event, LeadIn) for event in events)


async def test_there_is_none_before_records_which_are_told_in_the_readers_language():
    events = await ask("چه مقاله‌هایی نوشته است؟")
    assert {event.lang for event in sentences(events)} == {"fa"}
    assert not any(isinstance(event, LeadIn) for event in events)


async def test_there_is_none_where_nothing_is_released():
    refused = [event async for event in answer(Question("چقدر دستمزد می‌گیرید؟", "fa"), Quoting())]
    assert sentences(refused) == []


async def test_a_reload_and_a_joined_turn_show_it_again():
    events = await ask(QUESTION)
    turn = await Turn.objects.select_related("conversation").aget()
    joined = [event async for event in answer(Question(QUESTION, "fa", id=turn.id))]
    assert sentences(joined) == sentences(events)
    assert [type(event) for event in sentences(joined)] == [type(event) for event in sentences(events)]


async def test_the_page_shows_it_without_a_number_and_in_its_own_direction(browser_client):
    page = await posted(browser_client, QUESTION)
    lead_in, quoted = re.findall(r'<p class="sentence.*?</p>', page)[:2]
    assert 'class="sentence lead-in" lang="fa" dir="rtl"' in lead_in
    assert 'class="mark"' not in lead_in
    assert 'class="sentence plain" lang="en" dir="ltr"' in quoted
    assert ">۱</a>" in quoted


async def posted(client, question: str) -> str:
    await client.get("/fa/chat/")  # begins a session
    response = await client.post("/fa/chat/", {"question": question})
    return (await client.get(response["Location"].partition("#")[0])).content.decode()


async def test_it_is_no_sentence_of_the_answer_that_a_later_question_leans_on():
    await ask(QUESTION)
    conversation = await Conversation.objects.aget()
    [exchange] = await in_database(conversations.history, conversation, PUBLIC)
    assert "412 days" in exchange.answer
    assert "انگلیسی" not in exchange.answer


async def test_what_is_revoked_takes_its_lead_in_along():
    await ask(QUESTION)
    await in_database(revoke, await Record.objects.aget())
    await in_database(erase_revoked)
    assert not await Sentence.objects.exclude(text="").aexists()
    [again] = await in_database(shown, [await Turn.objects.aget()], PUBLIC)
    assert again.sentences
    assert not any(sentence.lead_in or "412" in sentence.text for sentence in again.sentences)
