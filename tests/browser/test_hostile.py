"""What is hostile to a page, in a real browser: words without an end, and a server that lets a silent page go."""

import asyncio
from collections.abc import Iterator

import pytest
from playwright.async_api import expect

from records.models import Owner, Record
from records.publishing import publish
from tests.assistant.live_site import live_site
from tests.browser.visit import QUESTION, visit
from tests.hostile import TEXTS

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site")]

WORD = TEXTS["one long word"]
# What is wider than the window, by its outermost element; empty where the page does not scroll sideways.
WIDER = """() => [document.documentElement, document.getElementById('said')]
  .every(e => !e || e.scrollWidth <= e.clientWidth) ? [] :
  [...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().width > innerWidth)
    .map(e => `${e.tagName}.${e.className}`)"""
SHEET = {"width": 657, "height": 986}  # A4 within margins of 18 mm, at 96 pixels an inch
HURRIED = "tests.assistant.hurried_site:application"


@pytest.fixture(scope="module")
def hurried_site(django_db_setup, django_db_blocker, tmp_path_factory) -> Iterator[str]:
    """The site that closes a socket after seconds."""
    with live_site(tmp_path_factory.mktemp("daphne") / "log", HURRIED) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def passage(small_site) -> str:
    """Make everything that the site says one word of 5,000 letters; the address of a passage in it."""
    Owner.objects.update(name=WORD[:200], tagline={"en": WORD}, contact={"en": WORD}, questions={"en": [WORD[:1000]]})
    article = Record.objects.get()
    article.decided_by, article.fields = WORD[:200], {"organisation": WORD, "place": WORD, "topics": [WORD]}
    article.save()
    draft = article.texts.get()
    draft.title, draft.summary = WORD[:300], WORD
    draft.body = f"# {WORD}\n\n{WORD}\n\n- {WORD}\n\n> {WORD}\n\n`{WORD}`\n\nThe battery lasted 412 days. {WORD}\n"
    draft.save()
    [version] = publish(article)
    return f"/passages/{version.pk}/{version.placements.earliest('ordinal').passage.uid}/"


async def test_a_word_without_an_end_widens_no_page_of_a_phone(browser, site, passage):
    visitor = await visit(browser, site)
    for path in ("/en/", "/en/article/", "/en/article/gauge/", "/fa/article/gauge/", passage, "/en/chat/"):
        await visitor.page.goto(f"{site}{path}")
        assert await visitor.page.evaluate(WIDER) == [], path


async def test_a_word_without_an_end_runs_off_no_sheet_of_paper(browser, site, passage):
    visitor = await visit(browser, site, viewport=SHEET)
    page = visitor.page
    await visitor.ask("How many days did the battery last?")
    await expect(page.locator(".turn .tools")).to_have_count(1)
    await page.click(".evidence summary")
    await page.emulate_media(media="print")
    assert await page.evaluate(WIDER) == []
    for path in ("/en/", "/en/article/", "/en/article/gauge/", "/fa/article/gauge/", passage):
        await page.goto(f"{site}{path}")
        assert await page.evaluate(WIDER) == [], path


@pytest.mark.usefixtures("passage")
async def test_a_word_without_an_end_widens_no_answer_on_a_phone(browser, site):
    visitor = await visit(browser, site)
    for number, question in enumerate((WORD[:1_900], "How many days did the battery last?"), start=1):
        await visitor.ask(question)
        await expect(visitor.page.locator(".turn .tools")).to_have_count(number)
        for summary in await visitor.page.locator(".turn summary:visible").all():
            await summary.click()
        assert await visitor.page.evaluate(WIDER) == [], number


async def test_a_page_that_was_silent_for_long_asks_on_as_if_nothing_had_been(browser, hurried_site):
    visitor = await visit(browser, hurried_site)
    state = "document.getElementById('chat')['htmx-internal-data'].webSocket.socket.readyState"
    await visitor.page.evaluate("window.stayed = true")
    async with asyncio.timeout(60):
        while await visitor.page.evaluate(f"{state} !== WebSocket.CLOSED"):
            await asyncio.sleep(0.2)
    await expect(visitor.page.locator("#connection")).to_be_empty()
    await visitor.ask(QUESTION)
    await expect(visitor.page.locator(".answer")).to_contain_text("412 days")
    assert await visitor.page.evaluate("window.stayed")
    assert visitor.complaints == []
