"""The widget on a page of another site, in a real browser: strict policy, no cookie, keyboard, phone, right to left."""

import asyncio
import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Browser, BrowserContext, Download, FrameLocator, Page, async_playwright, expect

from assistant.models import Conversation, Feedback, WidgetOrigin
from tests.browser.chromium import ARGUMENTS, CHROMIUM, DESKTOP, PHONE, WIDER
from tests.browser.test_accessibility import QUESTIONS, faults
from tests.browser.visit import QUESTION

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site")]

DOCS = Path(__file__).parents[2] / "docs" / "widget.md"
REFUSED = "How much do you charge?"
PAGE = """<!doctype html>
<html lang="{lang}" dir="{direction}"><head><title>A shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body><main><h1>A shop</h1><p><a href="/next?lang={lang}">Next page</a></p>{inside}</main></body></html>"""


class Host:
    """Another site, on another host name, whose pages have the policy that the documentation asks for."""

    def __init__(self, site: str) -> None:
        [asked_for] = re.findall(r"^script-src .*$", DOCS.read_text(encoding="utf-8"), flags=re.MULTILINE)
        allowed = asked_for.replace("https://ask.example.org", site)
        policy = f"default-src 'none'; {allowed}; require-trusted-types-for 'script'; trusted-types"
        self.inside = f'<script src="{site}/static/widget.js" async></script>'
        told = self

        class Page(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                lang = urlsplit(self.path).query.removeprefix("lang=") or "en"
                direction = "rtl" if lang in ("fa", "ar") else "ltr"
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Security-Policy", policy)
                self.end_headers()
                self.wfile.write(PAGE.format(lang=lang, direction=direction, inside=told.inside).encode())

            def log_message(self, *_told: object) -> None:
                pass  # the tests tell enough

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
        self.origin = f"http://localhost:{self.server.server_port}"


@pytest.fixture
def host(site) -> Iterator[Host]:
    """The other site, which the owner does not know."""
    other = Host(site)
    threading.Thread(target=other.server.serve_forever, daemon=True).start()
    yield other
    other.server.shutdown()
    other.server.server_close()


@pytest.fixture
def allowed(host: Host, small_site) -> Host:
    """The other site, once the owner has allowed it."""
    WidgetOrigin.objects.create(origin=host.origin)
    return host


class Reader:
    """A page of the host, what it complained about and whom it asked."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.asked: set[str] = set()
        page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.asked.add("{0.scheme}://{0.netloc}".format(urlsplit(request.url))))

    @property
    def button(self):
        return self.page.locator("aside .open")

    @property
    def frame(self) -> FrameLocator:
        return self.page.frame_locator("aside iframe")

    async def open(self) -> None:
        await self.button.click()
        await expect(self.frame.locator("#question")).to_be_focused()

    async def ask(self, question: str, turns: int = 1) -> None:
        await self.page.keyboard.type(question)  # the form has the focus
        await self.page.keyboard.press("Enter")
        await expect(self.frame.locator(".turn .tools")).to_have_count(turns)

    async def has_the_focus(self) -> bool:
        focused = await self.page.evaluate("document.activeElement.shadowRoot?.activeElement?.className")
        return bool(focused == "open")


async def handed_out(file: Download) -> dict[str, Any]:
    return dict(json.loads(await asyncio.to_thread(Path(await file.path()).read_text, encoding="utf-8")))


async def at(browser: Browser | BrowserContext, host: Host, lang: str = "en", **options) -> Reader:
    made = (
        browser if isinstance(browser, BrowserContext) else await browser.new_context(**{"viewport": PHONE, **options})
    )
    reader = Reader(await made.new_page())
    await reader.page.goto(f"{host.origin}/?lang={lang}")
    return reader


@pytest.mark.parametrize(("viewport", "scheme"), [(PHONE, "dark"), (DESKTOP, "light")], ids=["phone", "desktop"])
@pytest.mark.parametrize("lang", ["en", "fa"])
async def test_a_reader_opens_it_is_answered_and_refused_and_leaves_by_escape(
    browser, site, allowed, lang, viewport, scheme
):
    reader = await at(browser, allowed, lang, viewport=viewport, color_scheme=scheme)
    await expect(reader.button).to_have_attribute("aria-expanded", "false")
    assert await faults(reader.page) == []
    await reader.open()
    await expect(reader.button).to_have_attribute("aria-expanded", "true")
    answerable, refused = QUESTIONS[lang]
    await reader.ask(answerable)
    await expect(reader.frame.locator(".answer").first).to_contain_text("412 days")
    await expect(reader.frame.locator("#question")).to_be_focused()
    await reader.ask(refused, turns=2)
    await expect(reader.frame.locator(f'.refusal[lang="{lang}"]')).to_be_visible()
    inside = reader.page.frames[-1]
    assert await inside.evaluate("getComputedStyle(document.body).direction") == ("rtl" if lang == "fa" else "ltr")
    for summary in await inside.locator(".after summary, .own > summary").all():
        await summary.click()
    assert await faults(reader.page) == []
    assert await faults(inside) == []
    assert not await inside.evaluate(WIDER)
    await reader.page.keyboard.press("Escape")
    await expect(reader.page.locator("aside dialog")).to_be_hidden()
    await expect(reader.button).to_have_attribute("aria-expanded", "false")
    assert await reader.has_the_focus()
    assert reader.asked == {site, allowed.origin}
    assert (await reader.page.context.cookies(), reader.complaints) == ([], [])


async def test_it_stands_where_lines_end_and_covers_a_phone(browser, allowed):
    for lang, viewport in [("en", DESKTOP), ("fa", DESKTOP), ("en", PHONE), ("fa", PHONE)]:
        reader = await at(browser, allowed, lang, viewport=viewport)
        button = await reader.button.bounding_box()
        at_the_right = button["x"] + button["width"] / 2 > viewport["width"] / 2
        assert at_the_right == (lang == "en")
        assert button["height"] >= 44
        await reader.open()
        panel = await reader.page.locator("aside dialog").bounding_box()
        if viewport is PHONE:
            assert panel == {"x": 0, "y": 0, **PHONE}
        else:
            assert (panel["x"] > viewport["width"] / 2) == (lang == "en")
            assert panel["y"] >= 0
            assert panel["y"] + panel["height"] < button["y"]


async def test_the_owner_words_the_button_and_chooses_side_and_language(browser, allowed):
    allowed.inside = allowed.inside.replace(" async", ' async data-lang="pt-BR" data-side="start" data-label="Olá"')
    reader = await at(browser, allowed, "fa", viewport=DESKTOP)
    await expect(reader.button).to_have_text("Olá")
    assert (await reader.button.bounding_box())["x"] < 100
    await reader.open()
    await expect(reader.frame.locator("html[lang=pt]")).to_have_count(1)
    assert (await reader.page.locator("aside dialog").bounding_box())["x"] < 100


async def test_the_keyboard_alone_opens_leaves_and_opens_it_again(browser, allowed):
    reader = await at(browser, allowed, viewport=DESKTOP)
    await expect(reader.button).to_be_visible()
    for _link_then_button in range(2):
        await reader.page.keyboard.press("Tab")
    assert await reader.has_the_focus()
    await reader.page.keyboard.press("Enter")
    await expect(reader.frame.locator("#question")).to_be_focused()
    close = reader.page.locator("aside .close")
    await close.focus()
    await reader.page.keyboard.press("Enter")
    await expect(reader.page.locator("aside dialog")).to_be_hidden()
    assert await reader.has_the_focus()
    await reader.page.keyboard.press("Enter")
    await expect(reader.frame.locator("#question")).to_be_focused()


async def test_a_second_tag_is_ignored_and_the_page_keeps_its_names_and_its_storage(browser, allowed):
    tag, allowed.inside = allowed.inside, ""
    names = "Object.getOwnPropertyNames(window).sort().join()"
    before = await (await at(browser, allowed)).page.evaluate(names)
    allowed.inside = tag * 2
    reader = await at(browser, allowed)
    await reader.open()
    await expect(reader.page.locator("aside")).to_have_count(1)
    assert await reader.page.evaluate(names) == before
    assert await reader.page.evaluate("document.cookie + localStorage.length + sessionStorage.length") == "00"


async def test_nothing_moves_for_those_who_want_less_motion(browser, allowed):
    reader = await at(browser, allowed, reduced_motion="reduce")
    await reader.open()
    assert await reader.page.evaluate("document.getAnimations().length") == 0
    assert await reader.page.frames[-1].evaluate("document.getAnimations().length") == 0


async def test_a_site_that_is_not_allowed_has_no_button_and_no_frame(browser, site, host):
    """Nor has one that brings the frame itself."""
    host.inside += f'<iframe src="{site}/en/chat/widget/"></iframe><iframe src="{site}/en/chat/"></iframe>'
    reader = await at(browser, host)
    await reader.page.wait_for_load_state("networkidle")
    await expect(reader.page.locator("aside")).to_have_count(0)
    _host, *framed = reader.page.frames
    assert [frame.url for frame in framed] == ["chrome-error://chromewebdata/"] * 2


async def test_an_allowed_site_frames_the_widget_and_no_other_page(browser, site, allowed):
    allowed.inside += f'<iframe src="{site}/en/chat/widget/"></iframe><iframe src="{site}/en/chat/"></iframe>'
    reader = await at(browser, allowed)
    await reader.page.wait_for_load_state("networkidle")
    _host, *framed = reader.page.frames
    assert [frame.url for frame in framed] == [f"{site}/en/chat/widget/", "chrome-error://chromewebdata/"]


async def test_a_source_opens_in_a_tab_of_its_own(browser, site, allowed):
    reader = await at(browser, allowed)
    await reader.open()
    await reader.ask(QUESTION)
    async with reader.page.context.expect_page() as opened:
        await reader.frame.locator(".sources a").first.click()
    tab = await opened.value
    await expect(tab.locator("mark")).to_contain_text("412 days")
    assert urlsplit(tab.url).path.startswith("/passages/")
    assert await tab.evaluate("window.opener === null && origin") == site


class TestMemory:
    """Third-party cookies are blocked in both; one of the browsers keeps storage for frames, as Chrome, Firefox and
    Safari do, the other denies it."""

    async def test_the_conversation_is_there_again_on_the_hosts_next_page(self, allowed, tmp_path):
        (tmp_path / "Default").mkdir()
        wanted = {"profile": {"cookie_controls_mode": 1, "block_third_party_cookies": True}}
        (tmp_path / "Default" / "Preferences").write_text(json.dumps(wanted))
        # Playwright's own arguments switch the partitioning of storage off.
        own = ["--headless=new", "--remote-debugging-pipe", f"--user-data-dir={tmp_path}", "about:blank"]
        async with async_playwright() as playwright:
            context = await playwright.chromium.launch_persistent_context(
                tmp_path,
                executable_path=CHROMIUM,
                args=[*ARGUMENTS, *own],
                ignore_default_args=True,
                viewport=DESKTOP,
            )
            reader = await at(context, allowed)
            await reader.open()
            await reader.ask(REFUSED)
            await reader.page.get_by_text("Next page").click()
            await reader.page.wait_for_url("**/next**")
            await reader.open()
            await expect(reader.frame.locator(".refusal")).to_be_visible()
            await reader.ask(QUESTION, turns=2)
            await reader.frame.locator(".composer-foot .quiet").click()
            await expect(reader.frame.locator(".turn")).to_have_count(0)
            await reader.page.reload()
            await reader.open()
            await expect(reader.frame.locator(".turn")).to_have_count(0)
            assert (await context.cookies(), reader.complaints) == ([], [])
            await context.close()
        assert await Conversation.objects.acount() == 1

    async def test_without_storage_the_next_page_begins_a_new_one(self, browser, allowed):
        reader = await at(browser, allowed, viewport=DESKTOP)
        await reader.open()
        await reader.ask(REFUSED)
        denied = "try { sessionStorage.length } catch (error) { error.name }"
        assert await reader.page.frames[-1].evaluate(f"eval({json.dumps(denied)})") == "SecurityError"
        await reader.page.reload()
        await reader.open()
        await expect(reader.frame.locator(".turn")).to_have_count(0)
        await reader.ask(QUESTION)
        assert reader.complaints == []


class TestWithoutASocket:
    async def test_the_form_is_posted_in_the_frame_and_the_conversation_goes_on(self, browser, allowed):
        context = await browser.new_context(viewport=DESKTOP)
        await context.add_init_script("window.WebSocket = class extends EventTarget { close() {} send() {} }")
        reader = await at(context, allowed)
        await reader.open()
        await reader.ask(QUESTION)
        await expect(reader.frame.locator(".answer")).to_contain_text("412 days")
        await expect(reader.frame.locator("#question")).to_be_focused()
        await reader.ask(REFUSED, turns=2)
        await reader.frame.locator(".feedback button[value=down]").last.click()
        await expect(reader.frame.locator(".feedback button[value=down]").last).to_have_attribute(
            "aria-pressed", "true"
        )
        assert await Feedback.objects.filter(verdict="down").acount() == 1
        assert reader.complaints == []

    async def test_the_frames_page_needs_no_javascript(self, browser, site):
        context = await browser.new_context(viewport=PHONE, java_script_enabled=False)
        page = await context.new_page()
        await page.goto(f"{site}/en/chat/widget/")
        for question in (QUESTION, REFUSED):
            await page.fill("#question", question)
            await page.click("#ask button")
        await expect(page.locator(".turn")).to_have_count(2)
        await page.locator(".feedback button[value=up]").last.click()
        await page.get_by_role("button", name="Back to the conversation").click()
        await expect(page.locator(".feedback button[value=up]").last).to_have_attribute("aria-pressed", "true")
        await page.click(".own > summary")
        async with page.expect_download() as file:
            await page.click(".own [value=download]")
        told = await handed_out(await file.value)
        assert [turn["question"] for turn in told["turns"]] == [QUESTION, REFUSED]
        assert await context.cookies() == []


async def test_a_visitor_takes_the_conversation_along_and_deletes_it(browser, allowed):
    reader = await at(browser, allowed)
    await reader.open()
    await expect(reader.frame.locator(".own").first).to_be_hidden()
    await reader.ask(QUESTION)
    await reader.frame.locator(".own > summary").first.click()
    async with reader.page.expect_download() as file:
        await reader.frame.locator(".own [value=download]").click()
    told = await handed_out(await file.value)
    assert told["turns"][0]["question"] == QUESTION
    await reader.frame.locator("#own summary").click()
    await reader.frame.locator(".own [value=delete]").click()
    await expect(reader.frame.locator(".notice")).to_contain_text("deleted")
    assert not await Conversation.objects.aexists()
    await reader.frame.get_by_role("button", name="Back to the conversation").click()
    await expect(reader.frame.locator("#question")).to_be_focused()
    await reader.ask(REFUSED)
    assert reader.complaints == []
