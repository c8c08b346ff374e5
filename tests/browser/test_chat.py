"""The chat in a real browser: sentences arrive, a question is refused, it works without JavaScript."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, ConsoleMessage, Page, Request, async_playwright, expect

from tests.assistant.conftest import small_site
from tests.assistant.live_site import SLOW, live_site

CHROMIUM = Path("/usr/bin/chromium")
if not CHROMIUM.exists():
    pytest.skip(f"No Chromium at {CHROMIUM}: the browser tests are skipped.", allow_module_level=True)

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}
QUESTION = "How many days did the battery of the tide gauge at Holm Quay last?"

expect.set_options(timeout=15_000)  # a shared machine may be slow; a wait ends as soon as it can

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site")]

__all__ = ["small_site"]


@pytest.fixture(scope="module")
def site(django_db_setup, django_db_blocker, tmp_path_factory) -> Iterator[str]:
    """The site as it ships."""
    with live_site(tmp_path_factory.mktemp("daphne") / "log") as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="module")
def slow_site(django_db_setup, django_db_blocker, tmp_path_factory) -> Iterator[str]:
    """The same with a provider that takes its time."""
    with live_site(tmp_path_factory.mktemp("daphne") / "log", SLOW) as port:
        yield f"http://127.0.0.1:{port}"


@pytest_asyncio.fixture
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield launched
        await launched.close()


class Visit:
    """One page, and everything it complained about or asked other hosts for."""

    def __init__(self, page: Page, site: str) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.foreign: list[str] = []
        self._site = site
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._requested)

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.complaints.append(message.text)

    def _requested(self, request: Request) -> None:
        if not request.url.startswith(self._site):
            self.foreign.append(request.url)

    async def ask(self, question: str) -> None:
        await self.page.fill("#question", question)
        await self.page.press("#question", "Enter")


async def visit(browser: Browser, site: str, path: str = "/en/chat/", **options) -> Visit:
    context = await browser.new_context(**{"viewport": PHONE, **options})
    page = await context.new_page()
    visitor = Visit(page, site)
    await page.goto(f"{site}{path}")
    return visitor


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
async def test_a_visitor_asks_and_opens_what_a_sentence_rests_on(browser, site, viewport):
    visitor = await visit(browser, site, viewport=viewport)
    await visitor.ask(QUESTION)
    await expect(visitor.page.locator(".answer")).to_contain_text("412 days")
    await expect(visitor.page.locator(".checking")).to_have_count(0)
    await expect(visitor.page.locator("#question")).to_be_focused()
    await expect(visitor.page.locator("#question")).to_have_value("")
    assert not await visitor.page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    assert (visitor.complaints, visitor.foreign) == ([], [])
    await visitor.page.locator(".sources a").first.click()
    await expect(visitor.page.locator("mark")).to_contain_text("412 days")


async def test_sentences_arrive_one_by_one_while_the_next_is_checked(browser, slow_site):
    visitor = await visit(browser, slow_site)
    await visitor.ask(QUESTION)
    sentences = visitor.page.locator(".sentence")
    await expect(sentences).to_have_count(1)
    await expect(visitor.page.locator(".checking")).to_be_visible()
    await expect(sentences).to_have_count(2)
    await expect(visitor.page.locator(".checking")).to_be_visible()
    assert await visitor.page.locator("#log").get_attribute("aria-live") == "polite"


async def test_a_visitor_stops_an_answer_and_asks_on(browser, slow_site):
    visitor = await visit(browser, slow_site)
    await visitor.ask(QUESTION)
    await expect(visitor.page.locator(".sentence")).to_have_count(1)
    await visitor.page.click("#stop button")
    await expect(visitor.page.locator('[data-reason="stopped"]')).to_be_visible()
    await expect(visitor.page.locator("#stop")).to_have_count(0)
    await visitor.ask("How much do you charge?")
    await expect(visitor.page.locator(".refusal")).to_be_visible()
    assert visitor.complaints == []


async def test_a_visitor_is_refused(browser, site):
    visitor = await visit(browser, site)
    await visitor.ask("How much do you charge?")
    await expect(visitor.page.locator('.refusal[data-reason="commercial"]')).to_be_visible()
    await expect(visitor.page.locator(".sentence")).to_have_count(0)


async def test_what_was_said_is_there_again_after_a_reload(browser, site):
    visitor = await visit(browser, site)
    await visitor.ask(QUESTION)
    await expect(visitor.page.locator("#stop")).to_have_count(0)
    await expect(visitor.page.locator(".sentence").first).to_be_visible()
    said = await visitor.page.locator(".sentence").all_inner_texts()
    await visitor.page.reload()
    assert await visitor.page.locator(".sentence").all_inner_texts() == said


async def test_a_lost_connection_is_found_again_and_nothing_is_asked_or_shown_twice(browser, slow_site):
    visitor = await visit(browser, slow_site)
    await visitor.ask(QUESTION)
    await expect(visitor.page.locator(".sentence")).to_have_count(1)
    await visitor.page.evaluate("document.getElementById('chat')['htmx-internal-data'].webSocket.socket.close(3000)")
    await expect(visitor.page.locator("#connection")).not_to_be_empty()
    await visitor.page.evaluate("document.getElementById('chat')['htmx-internal-data'].webSocket.init()")
    await expect(visitor.page.locator("#connection")).to_be_empty()
    await expect(visitor.page.locator('[data-reason="stopped"]')).to_be_visible()
    await expect(visitor.page.locator(".turn")).to_have_count(1)
    said = await visitor.page.locator(
        ".sentence"
    ).all_inner_texts()  # on a busy machine the next one came before the cut
    assert len(said) == len(set(said)) >= 1


async def test_markup_in_a_question_is_shown_as_it_was_typed(browser, site):
    visitor = await visit(browser, site)
    typed = "<img src=x onerror=alert(1)> What did she do <b>recently</b>?"
    await visitor.ask(typed)
    await expect(visitor.page.locator(".question-text")).to_have_text(typed)
    await expect(visitor.page.locator(".log img, .log b")).to_have_count(0)
    assert visitor.complaints == []


@pytest.mark.parametrize(
    ("language", "question"), [("fa", "دستمزد شما چقدر است؟"), ("ar", "كم تتقاضون مقابل يوم عمل؟")]
)
async def test_a_page_written_from_the_right_fits_a_phone(browser, site, language, question):
    visitor = await visit(browser, site, f"/{language}/chat/")
    await visitor.ask(question)
    await expect(visitor.page.locator(f'.refusal[lang="{language}"]')).to_be_visible()
    assert await visitor.page.evaluate("getComputedStyle(document.body).direction") == "rtl"
    assert not await visitor.page.evaluate("document.documentElement.scrollWidth > window.innerWidth")


async def test_a_quotation_keeps_its_own_direction_on_a_page_written_from_the_right(browser, site):
    visitor = await visit(browser, site, "/fa/chat/")
    await visitor.ask("tide gauge at Holm Quay چند روز battery کار کرد؟")
    sentences = visitor.page.locator(".sentence")
    await expect(sentences.first).to_contain_text("به زبان انگلیسی")
    await expect(sentences.first).to_have_css("direction", "rtl")
    await expect(sentences.nth(1)).to_have_css("direction", "ltr")
    await expect(sentences.nth(1).locator(".mark")).to_contain_text("۱")
    await visitor.page.locator(".sources a").first.click()
    await expect(visitor.page.locator("html[lang=fa]")).to_have_count(1)
    await expect(visitor.page.locator(".version-text")).to_have_css("direction", "ltr")


async def test_every_languages_words_fit_the_narrowest_phone(browser, site, settings):
    visitor = await visit(browser, site, viewport={"width": 320, "height": 640})
    for code, _name in settings.LANGUAGES:
        await visitor.page.goto(f"{site}/{code}/chat/")
        assert not await visitor.page.evaluate("document.documentElement.scrollWidth > window.innerWidth"), code
        await visitor.page.click(".languages summary")
        box = await visitor.page.locator(".languages ul").bounding_box()
        assert box["x"] >= 0, code
        assert box["x"] + box["width"] <= 320, code


class TestWithoutJavaScript:
    async def test_the_same_form_is_answered_on_a_page(self, browser, site):
        visitor = await visit(browser, site, java_script_enabled=False)
        await visitor.page.fill("#question", QUESTION)
        await visitor.page.click("#ask button")
        await expect(visitor.page.locator(".answer")).to_contain_text("412 days")
        await visitor.page.fill("#question", "How much do you charge?")
        await visitor.page.click("#ask button")
        await expect(visitor.page.locator(".refusal")).to_be_visible()
        await expect(visitor.page.locator(".turn")).to_have_count(2)


async def test_where_no_socket_opens_the_form_is_posted(browser, site):
    context = await browser.new_context(viewport=PHONE)
    page = await context.new_page()
    await page.add_init_script("window.WebSocket = class extends EventTarget { close() {} send() {} }")
    await page.goto(f"{site}/en/chat/")
    await page.fill("#question", QUESTION)
    await page.click("#ask button")
    await expect(page.locator(".answer")).to_contain_text("412 days")
