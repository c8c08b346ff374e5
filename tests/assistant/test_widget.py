"""The chat in a frame on another site: no cookie is set or heeded, the signed conversation goes on."""

import json
import re
import uuid

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.test import AsyncClient

from assistant.conversations import sign
from assistant.models import Conversation, Feedback, Turn, WidgetOrigin
from records.models import Access, Record
from records.publishing import publish
from tests.assistant.socket_client import Socket
from tests.assistant.test_views import QUESTION
from tests.assistant.test_views import asked as asked_on_the_chat_page

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site", "fresh_limits")]

PAGE = "/en/chat/widget/"
OWN = {"origin": "http://testserver"}


@pytest.fixture
def frame() -> AsyncClient:
    """A browser that has forms checked as every visitor's are."""
    return AsyncClient(enforce_csrf_checks=True)


def field(page: str, name: str) -> str:
    return str(re.findall(rf'name="{name}" value="([^"]*)"', page)[0])


async def asked(frame: AsyncClient, question: str, before: str = "") -> str:
    """Post the form as the page before has it, and return the page that follows."""
    before = before or (await frame.get(PAGE)).content.decode()
    fields = {name: field(before, name) for name in ("turn", "conversation", "lang")}
    response = await frame.post(PAGE, {**fields, "question": question}, headers=OWN)
    assert response.status_code == 200
    return response.content.decode()


async def test_a_form_is_answered_and_the_conversation_goes_on_without_a_cookie(frame):
    first = await asked(frame, QUESTION)
    assert "412 days" in first
    second = await asked(frame, "And who repaired it?", first)
    assert second.count('class="question"') == 2
    assert await Conversation.objects.acount() == 1
    assert not frame.cookies


async def test_the_same_post_again_asks_nothing_twice(frame):
    page = (await frame.get(PAGE)).content.decode()
    assert await asked(frame, QUESTION, page) != ""
    assert "412 days" in await asked(frame, QUESTION, page)
    assert await Turn.objects.acount() == 1


async def test_a_conversation_without_a_question_is_shown_again(frame):
    page = await asked(frame, "How much do you charge?")
    again = await frame.post(PAGE, {"conversation": field(page, "conversation")}, headers=OWN)
    assert 'data-reason="commercial"' in again.content.decode()
    assert await Turn.objects.acount() == 1
    forged = await frame.post(PAGE, {"conversation": "x"}, headers=OWN)
    assert (forged.status_code, 'class="question"' in forged.content.decode()) == (200, False)


@pytest.mark.parametrize("origin", [None, "null", "https://other.example", "https://allowed.example"])
@pytest.mark.parametrize("path", ["", "feedback/", "own/"])
async def test_no_post_of_another_site_is_taken_not_even_of_one_that_shows_the_widget(frame, origin, path):
    await WidgetOrigin.objects.acreate(origin="https://allowed.example")
    headers = {"origin": origin} if origin else {}
    response = await frame.post(f"{PAGE}{path}", {"question": QUESTION, "lang": "en"}, headers=headers)
    assert response.status_code == 403
    assert not await Turn.objects.aexists()


async def test_the_other_pages_still_want_their_token(frame):
    for path in ("/en/chat/", "/en/chat/feedback/", "/en/privacy/", "/en/how-it-works/"):
        assert (await frame.post(path, {"question": QUESTION}, headers=OWN)).status_code == 403


async def test_a_session_that_comes_along_is_not_heeded(browser_client):
    """As on another host name of the same site, where browsers do send the cookie."""
    said = await asked_on_the_chat_page(browser_client, "How much do you charge?")
    assert "How much" not in (await browser_client.get(PAGE)).content.decode()
    theirs = await browser_client.post(PAGE, {"conversation": field(said, "conversation")}, headers=OWN)
    assert "How much" not in theirs.content.decode()


async def test_who_is_signed_in_sees_what_the_public_sees(browser_client):
    await Record.objects.aupdate(access=Access.PRIVATE)
    await sync_to_async(publish)(await Record.objects.aget())
    await browser_client.aforce_login(await User.objects.acreate(username="livia", is_staff=True, is_superuser=True))
    assert "412 days" in await asked_on_the_chat_page(browser_client, QUESTION)
    assert "412 days" not in await asked(browser_client, QUESTION)
    session = browser_client.cookies["sessionid"].value
    async with Socket(session=session, path="/ws/chat/widget/") as socket:
        assert "412 days" not in await socket.ask(QUESTION)


async def test_the_socket_goes_on_without_a_session_and_the_form_where_it_stopped(frame):
    async with Socket(path="/ws/chat/widget/") as socket:
        html = await socket.ask(QUESTION)
        assert "412 days" in html
        conversation = field(html, "conversation")
        await socket.ask("And who repaired it?", conversation=conversation)
    page = await frame.post(PAGE, {"conversation": conversation}, headers=OWN)
    assert page.content.decode().count('class="question"') == 2


async def test_the_socket_is_opened_by_pages_of_this_site_alone():
    await WidgetOrigin.objects.acreate(origin="https://allowed.example")
    assert not await Socket(origin="https://allowed.example", path="/ws/chat/widget/").connects()


async def test_the_limits_are_those_of_the_address(frame, settings):
    settings.TRAVA = settings.TRAVA.model_copy(update={"RATE_LIMITS": "1/minute"})
    page = await asked(frame, QUESTION)
    fields = {name: field(page, name) for name in ("turn", "conversation", "lang")}
    response = await frame.post(PAGE, {**fields, "question": "And who repaired it?"}, headers=OWN)
    assert response.status_code == 429
    assert int(response["Retry-After"]) > 0
    shown = response.content.decode()
    assert "412 days" in shown  # the conversation stays in view
    assert ">And who repaired it?</textarea>" in shown


class TestFeedback:
    async def test_it_is_kept_beside_a_turn_of_the_conversation(self, frame):
        page = await asked(frame, QUESTION)
        said = {"answer": str((await Turn.objects.aget()).pk), "conversation": field(page, "conversation")}
        sent = {**said, "verdict": "up"}
        response = await frame.post(f"{PAGE}feedback/", sent, headers={**OWN, "HX-Request": "true"})
        assert 'value="up" aria-pressed="true"' in response.content.decode()
        without_script = await frame.post(f"{PAGE}feedback/", {**said, "comment": "Good"}, headers=OWN)
        assert "Thank you" in without_script.content.decode()
        assert field(without_script.content.decode(), "conversation") == said["conversation"]
        kept = await Feedback.objects.aget()
        assert (kept.verdict, kept.comment) == ("up", "Good")

    async def test_another_conversations_turn_is_not_touched(self, frame):
        await asked(frame, QUESTION)
        other = await Conversation.objects.acreate(language="en")
        turn = str((await Turn.objects.aget()).pk)
        for conversation in (sign(other), "", "x"):
            sent = {"answer": turn, "conversation": conversation, "verdict": "up"}
            assert (await frame.post(f"{PAGE}feedback/", sent, headers=OWN)).status_code == 404
        assert not await Feedback.objects.aexists()


class TestOwnData:
    async def test_the_conversation_is_handed_out_and_deleted(self, frame):
        page = await asked(frame, QUESTION)
        sent = {"conversation": field(page, "conversation")}
        response = await frame.post(f"{PAGE}own/", {**sent, "do": "download"}, headers=OWN)
        assert response["Content-Disposition"].startswith("attachment")
        assert json.loads(response.content)["turns"][0]["question"] == QUESTION
        deleted = await frame.post(f"{PAGE}own/", {**sent, "do": "delete"}, headers=OWN)
        assert "The conversation was deleted." in deleted.content.decode()
        assert not await Conversation.objects.aexists()
        assert (await frame.post(f"{PAGE}own/", {**sent, "do": "delete"}, headers=OWN)).status_code == 404

    async def test_a_conversation_of_a_session_is_not(self, browser_client, frame):
        said = await asked_on_the_chat_page(browser_client, QUESTION)
        for do in ("download", "delete"):
            sent = {"conversation": field(said, "conversation"), "do": do}
            response = await frame.post(f"{PAGE}own/", sent, headers=OWN)
            assert response.status_code == 404
            assert QUESTION not in response.content.decode()
        assert await Conversation.objects.acount() == 1


async def test_the_privacy_note_tells_of_frames_where_there_can_be_some(browser_client):
    told = "the assistant may stand in a frame"
    assert told not in (await browser_client.get("/en/privacy/")).content.decode()
    await WidgetOrigin.objects.acreate(origin="https://allowed.example")
    assert told in (await browser_client.get("/en/privacy/")).content.decode()


@pytest.mark.parametrize(("language", "direction"), [("en", "ltr"), ("fa", "rtl"), ("zh", "ltr")])
async def test_every_page_in_the_frame_runs_no_inline_code_and_keeps_to_itself(frame, language, direction):
    address = f"/{language}/chat/widget/"
    shown = await frame.get(address)
    told = await frame.post(f"{address}own/", {"do": "delete"}, headers=OWN)
    for response in (shown, told):
        page = response.content.decode()
        assert f'<html lang="{language}" dir="{direction}">' in page
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", page)
        assert all('target="_self"' in form for form in re.findall(r"<form[^>]*method[^>]*>", page))
        assert "no-store" in response["Cache-Control"]


async def test_a_turn_that_somebody_else_asked_is_not_joined(frame, browser_client):
    turn = str(uuid.uuid4())
    await asked_on_the_chat_page(browser_client, QUESTION, turn=turn)
    response = await frame.post(PAGE, {"turn": turn, "lang": "en", "question": QUESTION}, headers=OWN)
    assert "412 days" not in response.content.decode()
