"""A visitor takes along or deletes a conversation of their own; what was paid stays, and nobody else can do either."""

import asyncio
import json
import re
import uuid

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.utils import timezone

from assistant import own_data
from assistant.conversations import sign
from assistant.models import Conversation, DayFigure, Feedback, GuardrailEvent, Sentence, Turn
from metering.models import Charge, Reservation
from records.models import Access, Record
from records.publishing import publish
from tests.assistant.scripted import WHOLE
from tests.assistant.socket_client import FINISHED, Socket
from tests.assistant.test_consumers import FIRST, SECOND
from tests.assistant.test_views import QUESTION, asked

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site", "fresh_limits")]

PAGE = "/en/privacy/"


async def token(client: AsyncClient) -> str:
    [found] = re.findall(r'name="conversation" value="([^"]+)"', (await client.get(PAGE)).content.decode())
    return found


async def test_a_conversation_is_handed_out_whole(browser_client):
    await asked(browser_client, QUESTION)
    turn = await Turn.objects.aget()
    await browser_client.post("/en/chat/feedback/", {"answer": str(turn.pk), "comment": "Thanks", "verdict": "up"})
    response = await browser_client.post(PAGE, {"do": "download", "conversation": await token(browser_client)})
    assert response["Content-Disposition"].startswith("attachment")
    [told] = json.loads(response.content)["turns"]
    assert told["question"] == QUESTION
    assert any("412 days" in sentence["text"] and sentence["sources"] for sentence in told["sentences"])
    assert told["feedback"] == {"verdict": "up", "comment": "Thanks", "reported": False}


async def test_what_is_closed_to_the_reader_is_not_handed_out(browser_client):
    await asked(browser_client, QUESTION)
    await Record.objects.aupdate(access=Access.PRIVATE)
    await sync_to_async(publish)(await Record.objects.aget())
    response = await browser_client.post(PAGE, {"do": "download", "conversation": await token(browser_client)})
    assert "412 days" not in response.content.decode()


async def test_deleting_reaches_all_of_it_and_leaves_figures_and_money(browser_client):
    await asked(browser_client, QUESTION)
    await asked(browser_client, "How much do you charge?")
    turn = await Turn.objects.afirst()
    await browser_client.post("/en/chat/feedback/", {"answer": str(turn.pk), "comment": "Thanks"})
    paid = await Reservation.objects.acount(), await Charge.objects.acount()
    assert all(paid)
    response = await browser_client.post(PAGE, {"do": "delete", "conversation": await token(browser_client)})
    assert response["Location"] == f"{PAGE}?deleted"
    for model in (Conversation, Turn, Sentence, GuardrailEvent, Feedback):
        assert not await model.objects.aexists(), model
    assert (await Reservation.objects.acount(), await Charge.objects.acount()) == paid
    assert (await DayFigure.objects.aget(kind="turns")).count == 2
    page = (await browser_client.get(response["Location"])).content.decode()
    assert "The conversation was deleted." in page
    assert "No conversation of this browser is kept here." in page
    assert QUESTION not in (await browser_client.get("/en/chat/")).content.decode()


async def test_another_browser_can_do_neither_even_with_the_signed_id(browser_client):
    await asked(browser_client, QUESTION)
    signed = sign(await Conversation.objects.aget())
    other = AsyncClient()
    for wish in ("download", "delete"):
        for sent in (signed, "x", ""):
            response = await other.post(PAGE, {"do": wish, "conversation": sent})
            assert response.status_code == 404
            assert QUESTION not in response.content.decode()
    assert QUESTION not in (await other.get(PAGE)).content.decode()
    assert await Conversation.objects.acount() == 1


async def test_a_conversation_that_is_deleted_while_an_answer_runs_stays_deleted_and_is_no_failure(worded_by, caplog):
    deleted = asyncio.Event()
    worded_by(FIRST, deleted, SECOND, WHOLE)
    async with Socket() as socket:
        await socket.send(question=QUESTION, lang="en", turn=str(uuid.uuid4()))
        await socket.until("412 days")
        await sync_to_async(own_data.erase)(await Conversation.objects.aget())
        deleted.set()
        html = await socket.until(FINISHED)
    assert 'data-reason="unavailable"' in html
    assert "repaired" not in html
    for model in (Conversation, Turn, Sentence):
        assert not await model.objects.aexists()
    assert not await Reservation.objects.filter(state="held").aexists()
    assert "turn.failed" not in caplog.text


def test_deleting_twice_counts_once():
    talk = Conversation.objects.create(language="en")
    Turn.objects.create(conversation=talk, ordinal=1, question="?", language="en", deadline=timezone.now())
    again = Conversation.objects.get()
    own_data.erase(talk)
    own_data.erase(again)
    assert DayFigure.objects.get(kind="turns").count == 1
