"""The chat page without JavaScript: post, redirect, read; and what the page says about itself."""

import re
import uuid

import pytest
from django.test import AsyncClient, Client

from assistant.models import Conversation, Turn

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site", "fresh_limits")]

QUESTION = "How many days did the battery of the tide gauge at Holm Quay last?"


async def asked(client: AsyncClient, question: str, **fields) -> str:
    """Load the page as a browser does, post its form, and return the page that follows."""
    page = (await client.get("/en/chat/")).content.decode()
    [turn] = re.findall(r'name="turn" value="([^"]+)"', page)
    [conversation] = re.findall(r'name="conversation" value="([^"]*)"', page)
    response = await client.post(
        "/en/chat/", {"turn": turn, "conversation": conversation, "question": question, **fields}
    )
    assert response.status_code == 302
    assert response["Location"].endswith(f"#turn-{fields.get('turn', turn)}")
    return (await client.get("/en/chat/")).content.decode()


async def test_a_form_post_is_answered_on_the_page_it_leads_to(browser_client):
    page = await asked(browser_client, QUESTION)
    assert QUESTION in page
    assert "412 days" in page
    assert re.search(r'<li value="1"><a href="/passages/\d+/', page)


async def test_the_conversation_goes_on_over_several_forms(browser_client):
    await asked(browser_client, QUESTION)
    page = await asked(browser_client, "And who repaired it?")
    assert "412 days" in page
    assert page.count('class="question"') == 2
    assert await Conversation.objects.acount() == 1


async def test_a_refusal_stands_on_the_page(browser_client):
    assert 'class="refusal" data-reason="commercial"' in await asked(browser_client, "How much do you charge?")


async def test_loading_the_page_again_asks_nothing_twice(browser_client):
    turn = str(uuid.uuid4())
    await asked(browser_client, QUESTION, turn=turn)
    await asked(browser_client, QUESTION, turn=turn)
    assert await Turn.objects.acount() == 1


async def test_a_new_conversation_begins_empty(browser_client):
    await asked(browser_client, QUESTION)
    page = (await browser_client.get("/en/chat/?new")).content.decode()
    assert QUESTION not in page
    assert 'name="conversation" value=""' in page


async def test_another_visitor_sees_nothing_of_it(browser_client):
    await asked(browser_client, QUESTION)
    assert QUESTION not in (await AsyncClient().get("/en/chat/")).content.decode()


async def test_what_could_not_be_asked_stays_in_the_form(browser_client):
    response = await browser_client.post("/en/chat/", {"question": "y" * 3000})
    page = response.content.decode()
    assert response.status_code == 400
    assert "y" * 3000 in page
    assert 'class="notice"' in page


async def test_over_a_limit_the_question_stays_in_the_form(browser_client, settings):
    settings.TRAVA = settings.TRAVA.model_copy(update={"RATE_LIMITS": "1/minute"})
    await asked(browser_client, QUESTION)
    response = await browser_client.post("/en/chat/", {"question": "And who repaired it?"})
    assert response.status_code == 429
    assert int(response["Retry-After"]) > 0
    assert "And who repaired it?" in response.content.decode()


async def test_the_only_cookie_is_the_sessions(browser_client):
    await asked(browser_client, QUESTION)
    assert set(browser_client.cookies) == {"sessionid"}


def test_a_form_of_another_site_is_not_accepted():
    response = Client(enforce_csrf_checks=True).post("/en/chat/", {"question": QUESTION})
    assert response.status_code == 403
    assert b"what you typed" in response.content


async def test_the_page_runs_no_inline_code_and_asks_no_other_host(browser_client):
    response = await browser_client.get("/en/chat/")
    page = response.content.decode()
    assert "'unsafe" not in response["Content-Security-Policy"]
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", page)
    assert not re.search(r'(?:src|href|action)="(?:https?:)?//', page)


@pytest.mark.parametrize(("language", "direction"), [("en", "ltr"), ("fa", "rtl"), ("ar", "rtl"), ("zh", "ltr")])
async def test_the_page_says_its_language_and_direction(browser_client, language, direction):
    page = (await browser_client.get(f"/{language}/chat/")).content.decode()
    assert f'<html lang="{language}" dir="{direction}">' in page


async def test_every_language_is_offered_at_the_same_place(browser_client, settings):
    page = (await browser_client.get("/en/chat/")).content.decode()
    assert [f'href="/{code}/chat/"' in page for code, _name in settings.LANGUAGES] == [True] * 10


async def test_a_language_that_the_site_does_not_speak_has_no_page(browser_client):
    assert (await browser_client.get("/xx/chat/")).status_code == 404


def test_an_address_that_does_not_exist_is_told_so_without_the_database(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        response = client.get("/en/nowhere/")
    assert response.status_code == 404
    assert b"Does not exist" in response.content
