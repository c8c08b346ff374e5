"""The page that shows one question's layers at work: what each decided, from the turn itself."""

import re

import pytest
from django.test import Client

from assistant.asking import admit
from assistant.models import Conversation, Floor, Turn
from assistant.visitors import Visitor
from assistant.watching import watched
from guardrails.refusal import pattern_count
from metering.models import Reservation
from records.access import PUBLIC
from tests.assistant.scripted import WHOLE

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site", "fresh_limits")]

QUESTION = "How many days did the battery of the tide gauge at Holm Quay last?"
PAGE = "/en/how-it-works/"


async def asked(client, question, page=PAGE):
    """Post the form and return the status and the whole page that was streamed."""
    response = await client.post(page, {"question": question})
    if not response.streaming:
        return response.status_code, response.content.decode()
    return response.status_code, b"".join([piece async for piece in response.streaming_content]).decode()


def layers(page):
    return re.findall(r'<li class="layer ?(\w*)" data-layer="(\w+)"', page)


async def test_a_question_that_is_answered_lights_every_layer_in_order(browser_client):
    status, page = await asked(browser_client, QUESTION)
    assert status == 200
    assert layers(page)[:3] == [("passed", "patterns"), ("passed", "evidence"), ("passed", "budget")]
    assert layers(page)[3] == ("passed", "latch")
    assert layers(page)[-1] == ("", "end")
    assert "412 days" in page
    assert page.rstrip().endswith("</html>")


async def test_a_refused_question_ends_at_the_patterns_with_the_name_of_the_one_that_matched(browser_client):
    _, page = await asked(browser_client, "How much do you charge?")
    assert layers(page) == [("stopped", "patterns"), ("stopped", "text"), ("", "end")]
    assert "commercial · " in page
    assert await Reservation.objects.acount() == 0


async def test_a_question_without_evidence_ends_before_anything_is_reserved(browser_client):
    _, page = await asked(browser_client, "Who won the match?")
    assert layers(page)[:2] == [("passed", "patterns"), ("stopped", "evidence")]
    assert "budget" not in dict(layers(page)).values()
    assert await Reservation.objects.filter(purpose="answer").acount() == 0


async def test_floors_that_nobody_measured_here_are_called_so(browser_client):
    _, page = await asked(browser_client, QUESTION)
    assert "The floors shown here are uncalibrated" in page
    await Floor.objects.acreate(dense=0.24, words=0.6, space="another", corpus="another")
    _, page = await asked(browser_client, QUESTION)
    assert "The floors shown here are stale" in page


async def test_every_number_of_a_persian_page_is_in_persian_digits(browser_client):
    _, page = await asked(browser_client, "tide gauge at Holm Quay چند روز battery کار کرد؟", "/fa/how-it-works/")
    shown = re.findall(r'data-layer="(?:evidence|budget|end)".*?</li>\n?(?=<li|</ol>)', page, flags=re.DOTALL)
    assert len(shown) == 3
    told = re.sub(r"<details>.*?</details>|<[^>]+>", "", "".join(shown), flags=re.DOTALL)
    assert "۰٫" in told
    assert not re.search("[0-9]", told)


async def test_a_stopped_sentence_is_shown_by_its_check_and_never_by_its_text(browser_client, worded_by):
    worded_by("Its battery lasted 977 days [1]. ", WHOLE)
    _, page = await asked(browser_client, QUESTION)
    assert ("stopped", "latch") in layers(page)
    assert "stands in no source that it named" in page
    assert "977 days" not in page


async def test_nothing_is_kept_of_the_question(browser_client):
    await asked(browser_client, QUESTION)
    assert await Conversation.objects.acount() == await Turn.objects.acount() == 0


async def test_the_limits_of_the_chat_hold_here_too(browser_client, settings):
    settings.TRAVA = settings.TRAVA.model_copy(update={"RATE_LIMITS": "1/minute"})
    await asked(browser_client, QUESTION)
    status, page = await asked(browser_client, QUESTION)
    assert status == 429
    assert QUESTION in page
    assert not layers(page)


async def test_what_cannot_be_asked_stays_in_the_form(browser_client):
    status, page = await asked(browser_client, "y" * 3000)
    assert status == 400
    assert "y" * 3000 in page


async def test_a_question_is_text_and_never_markup_on_the_page(browser_client):
    _, page = await asked(browser_client, "<!-- the layers --><script>alert(1)</script> tide gauge battery")
    assert "<script>alert" not in page
    assert page.count("<!-- the layers -->") == 0


async def test_steps_are_told_before_the_first_sentence_is(worded_by):
    worded_by("Its battery lasted 412 days [1]. ", WHOLE)
    question = await admit({"question": QUESTION, "lang": "en"}, Visitor((), "", PUBLIC), "demo")
    names = [type(step).__name__ async for step in watched(question)]
    assert names == ["Tried", "Sourced", "Reserved", "Released", "Done"]


@pytest.mark.parametrize(("language", "direction"), [("en", "ltr"), ("fa", "rtl"), ("zh", "ltr")])
async def test_the_page_speaks_the_language_of_its_address(browser_client, language, direction):
    page = (await browser_client.get(f"/{language}/how-it-works/")).content.decode()
    assert f'<html lang="{language}" dir="{direction}">' in page


def test_a_form_of_another_site_is_not_accepted():
    assert Client(enforce_csrf_checks=True).post(PAGE, {"question": QUESTION}).status_code == 403


def test_the_patterns_of_all_languages_are_counted():
    assert pattern_count() > 100
