"""A visitor's word on an answer: kept beside the turn of this session alone, bounded, and shown again."""

import re
import uuid

import pytest
from django.test import AsyncClient

from assistant.feedback_models import MAX_COMMENT
from assistant.models import Feedback, Turn
from tests.assistant.test_views import QUESTION, asked

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site", "fresh_limits")]

URL = "/en/chat/feedback/"


@pytest.fixture
async def turn(browser_client):
    """The id of a refusal that this browser got."""
    await asked(browser_client, "How much do you charge?")
    return str((await Turn.objects.aget()).pk)


async def test_a_word_is_kept_and_a_second_takes_its_place(browser_client, turn):
    response = await browser_client.post(URL, {"answer": turn, "verdict": "up"})
    assert (response.status_code, response["Location"]) == (302, f"/en/chat/#feedback-{turn}")
    await browser_client.post(URL, {"answer": turn, "verdict": "down"})
    await browser_client.post(URL, {"answer": turn, "comment": "<b>Wrong</b>\x00 year", "report": "1"})
    kept = await Feedback.objects.aget()
    assert (kept.verdict, kept.comment, kept.reported) == ("down", "<b>Wrong</b> year", True)
    page = (await browser_client.get("/en/chat/")).content.decode()
    assert re.search(r'value="down" aria-pressed="true"', page)
    assert "&lt;b&gt;Wrong&lt;/b&gt; year</textarea>" in page


async def test_with_htmx_the_form_alone_comes_back(browser_client, turn):
    response = await browser_client.post(URL, {"answer": turn, "verdict": "up"}, headers={"HX-Request": "true"})
    html = response.content.decode()
    assert html.startswith(f'<div id="feedback-{turn}"')
    assert 'value="up" aria-pressed="true"' in html
    assert "<html" not in html


async def test_another_visitor_and_an_unknown_turn_change_nothing(turn):
    for sent in (turn, str(uuid.uuid4()), "x", ""):
        response = await AsyncClient().post(URL, {"answer": sent, "verdict": "up"})
        assert response.status_code == 404
        assert "Nothing was stored" in response.content.decode()
    assert not await Feedback.objects.aexists()


async def test_it_needs_the_token_of_the_page(turn):
    assert (await AsyncClient(enforce_csrf_checks=True).post(URL, {"answer": turn, "verdict": "up"})).status_code == 403


async def test_what_is_too_long_or_no_verdict_is_bounded(browser_client, turn):
    await browser_client.post(URL, {"answer": turn, "verdict": "maybe", "comment": "x" * 9_000})
    kept = await Feedback.objects.aget()
    assert (kept.verdict, len(kept.comment), kept.reported) == ("", MAX_COMMENT, False)


async def test_it_has_limits_of_its_own(browser_client, turn, settings):
    settings.TRAVA = settings.TRAVA.model_copy(update={"RATE_LIMITS": "2/minute"})
    sent = [await browser_client.post(URL, {"answer": turn, "verdict": "up"}) for _ in range(3)]
    assert [response.status_code for response in sent] == [302, 302, 429]
    assert int(sent[-1]["Retry-After"]) > 0
    response = await browser_client.post(URL, {"answer": turn, "verdict": "up"}, headers={"HX-Request": "true"})
    assert (response["HX-Retarget"], response["HX-Reswap"]) == ("#form-notice", "innerHTML")
    assert QUESTION in await asked(browser_client, QUESTION)  # and takes none of the questions' own


async def test_a_language_that_there_is_not_has_no_page(browser_client, turn):
    assert (await browser_client.post("/xx/chat/feedback/", {"answer": turn})).status_code == 404
