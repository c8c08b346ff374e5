"""A visitor who is refused is told where to go on: the contact, the pages, and questions that are answered."""

import re

import pytest

from assistant.suggestions import suggested
from records.models import Owner
from tests.assistant.socket_client import FINISHED, Socket
from tests.assistant.test_views import asked

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site", "fresh_limits")]

OFFERED = [
    "How many days did the battery of the tide gauge at Holm Quay last?",
    "How much does it cost?",
    "Who repaired the mast?",
    "What is it about?",
]


@pytest.fixture
def questions(small_site) -> None:
    Owner.objects.update(questions={"en": OFFERED, "fa": ["باتری چند روز کار کرد؟"]})


def offered(html: str) -> list[str]:
    return re.findall(r'<li><button type="submit" form="ask" name="suggested" value="([^"]+)"', html)


@pytest.mark.usefixtures("questions")
def test_what_would_be_refused_is_not_suggested():
    assert suggested("en", 6) == (OFFERED[0], OFFERED[2], OFFERED[3])
    assert suggested("fa", 6) == ("باتری چند روز کار کرد؟",)
    assert suggested("de", 6) == ()


@pytest.mark.usefixtures("questions")
def test_the_question_that_was_just_asked_is_not_suggested_again():
    assert set(suggested("en", 6, OFFERED[0])) == {OFFERED[2], OFFERED[3]}


def test_without_an_owner_there_is_nothing_to_suggest():
    Owner.objects.all().delete()
    assert suggested("en", 6) == ()


@pytest.mark.usefixtures("questions")
async def test_a_refusal_ends_with_ways_on_and_one_of_them_is_asked_by_its_button(browser_client):
    start = (await browser_client.get("/en/chat/")).content.decode()
    assert offered(start) == [OFFERED[0], OFFERED[2], OFFERED[3]]
    page = await asked(browser_client, "How much do you charge?")
    assert '<a class="button" href="/en/#contact">Contact</a>' in page
    assert len(offered(page)) == 3
    page = await asked(browser_client, "what stood in the form", suggested=OFFERED[0])
    assert "412 days" in page
    assert "what stood in the form" not in page


@pytest.mark.usefixtures("questions")
async def test_they_come_by_the_socket_too():
    async with Socket() as socket:
        await socket.send(question="How much do you charge?", lang="en")
        html = await socket.until(FINISHED)
    assert len(offered(html)) == 3
    assert 'href="/en/#contact"' in html


async def test_an_answer_needs_no_ways(browser_client):
    assert 'class="ways"' not in await asked(browser_client, "How many days did the battery of the tide gauge last?")


async def test_a_question_in_the_address_stands_in_the_form_and_is_not_asked(browser_client):
    page = (await browser_client.get("/en/chat/", {"q": "<i>Who?"})).content.decode()
    assert "&lt;i&gt;Who?</textarea>" in page
    assert 'class="turn"' not in page
