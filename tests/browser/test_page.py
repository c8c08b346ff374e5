"""What a page weighs and asks for, in a real browser: its files by type, and the fonts that only their script loads."""

import asyncio
import logging
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator

import pytest
from playwright.async_api import Browser, CDPSession, Page, Route, expect

from tests.assistant.live_site import ROOT, live_site
from tests.browser.chromium import PHONE

logger = logging.getLogger(__name__)
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site")]

BUDGET = 150_000  # bytes of a chat page without fonts
# Letters that must become one sign: conjuncts of Devanagari, and lam with alef.
JOINED = {"hi": ["क्ष", "त्र", "ज्ञ", "श्र"], "fa": ["لا"], "ar": ["لا"]}
FONTS = {"en": [], "zh": [], "fa": ["arab"], "ar": ["arab"], "hi": ["deva"]}


@pytest.fixture(scope="module")
def site(django_db_setup, django_db_blocker, tmp_path_factory) -> Iterator[str]:
    """The site as `make run` serves it: its files collected, compressed and named by their content."""
    folder = tmp_path_factory.mktemp("static")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STATIC_ROOT", str(folder))
        subprocess.run([sys.executable, "manage.py", "collectstatic", "--no-input"], cwd=ROOT, check=True)
    with live_site(tmp_path_factory.mktemp("daphne") / "log", STATIC_ROOT=str(folder)) as port:
        yield f"http://127.0.0.1:{port}"


class Traffic:
    """The bytes that came for a page, headers included, by the browser's own count and kind."""

    def __init__(self) -> None:
        self.kinds: dict[str, str] = {}
        self.addresses: dict[str, str] = {}
        self.bytes: Counter[str] = Counter()

    @classmethod
    async def of(cls, page: Page) -> "Traffic":
        traffic = cls()
        session: CDPSession = await page.context.new_cdp_session(page)
        await session.send("Network.enable")
        session.on("Network.responseReceived", traffic._received)
        session.on("Network.loadingFinished", traffic._finished)
        return traffic

    def _received(self, event: dict) -> None:
        self.kinds[event["requestId"]] = event["type"]
        self.addresses[event["requestId"]] = event["response"]["url"]

    def _finished(self, event: dict) -> None:
        self.bytes[self.kinds[event["requestId"]]] += event["encodedDataLength"]

    @property
    def fonts(self) -> list[str]:
        """The names of the fonts that were loaded, without their hash."""
        return [url.rpartition("/")[2].partition(".")[0] for url in self.addresses.values() if url.endswith(".woff2")]


async def opened(browser: Browser, address: str) -> tuple[Page, Traffic]:
    context = await browser.new_context(viewport=PHONE)
    page = await context.new_page()
    traffic = await Traffic.of(page)
    await page.goto(address, wait_until="networkidle")
    return page, traffic


@pytest.mark.parametrize("language", FONTS)
async def test_a_chat_page_stays_within_its_weight_and_loads_the_font_of_its_script_alone(browser, site, language):
    page, traffic = await opened(browser, f"{site}/{language}/chat/")
    assert {url.split("/")[2] for url in traffic.addresses.values()} == {site.removeprefix("http://")}
    assert traffic.fonts == FONTS[language]
    without_fonts = sum(traffic.bytes.values()) - traffic.bytes["Font"]
    logger.info("%s: %d bytes without fonts, %s", language, without_fonts, dict(traffic.bytes))
    assert traffic.bytes["Script"] > 0
    assert without_fonts < BUDGET
    assert await page.evaluate("[...document.fonts].filter(face => face.status == 'loaded').length") == len(
        FONTS[language]
    )


async def test_a_second_page_asks_for_none_of_these_files_again(browser, site):
    page, traffic = await opened(browser, f"{site}/fa/chat/")
    before = traffic.bytes.copy()
    await page.goto(f"{site}/fa/chat/?new", wait_until="networkidle")
    for kind in ("Script", "Stylesheet", "Font"):
        assert traffic.bytes[kind] == before[kind] > 0


async def test_the_names_of_languages_in_the_menu_load_no_font(browser, site):
    page, traffic = await opened(browser, f"{site}/en/chat/")
    await page.click(".languages summary")
    await expect(page.locator(".languages [lang=hi]")).to_be_visible()
    await page.wait_for_load_state("networkidle")
    assert traffic.fonts == []
    await shown(page, "fa", "سلام")
    await page.wait_for_load_state("networkidle")
    assert traffic.fonts == ["arab"]  # a text in that script needs its face on whatever page


@pytest.mark.parametrize("language", JOINED)
async def test_letters_are_joined_by_the_font_of_their_script_alone(browser, site, language):
    page, _traffic = await opened(browser, f"{site}/{language}/chat/")
    await page.reload(wait_until="networkidle")  # the font is optional: a slow machine has it from the second page on
    for letters in JOINED[language]:
        [face] = await shown(page, language, letters)
        assert (face["isCustomFont"], face["glyphCount"]) == (True, 1), letters
    said = await page.locator(".lead").inner_text()
    faces = await shown(page, language, "".join(sign for sign in said if sign == " " or not sign.isascii()))
    assert [face["familyName"] for face in faces if not face["isCustomFont"]] == []


async def test_a_font_that_comes_late_redraws_nothing(browser, site):
    async def late(route: Route) -> None:
        await asyncio.sleep(2)
        await route.continue_()

    context = await browser.new_context(viewport=PHONE)
    await context.route("**/*.woff2", late)
    page = await context.new_page()
    await page.goto(f"{site}/fa/chat/", wait_until="networkidle")
    assert await page.evaluate("[...document.fonts].filter(face => face.status == 'loaded').length") == 1
    assert not any(face["isCustomFont"] for face in await faces_of(page, ".lead"))


async def shown(page: Page, language: str, text: str) -> list[dict]:
    """Put a text on the page, and tell the faces that it is shown in, with their number of glyphs."""
    await page.locator("#log").evaluate(
        "(log, [lang, text]) => log.append(Object.assign(document.createElement('p'), "
        "{lang, textContent: text, id: 'shown'}))",
        [language, text],
    )
    while not (faces := await faces_of(page, "#shown")):  # until it has been drawn
        await page.wait_for_timeout(50)
    await page.locator("#shown").evaluate("element => element.remove()")
    return faces


async def faces_of(page: Page, selector: str) -> list[dict]:
    """Tell the faces in which an element's text is drawn, with their number of glyphs."""
    session = await page.context.new_cdp_session(page)
    await session.send("DOM.enable")
    await session.send("CSS.enable")
    root = (await session.send("DOM.getDocument"))["root"]["nodeId"]
    node = (await session.send("DOM.querySelector", {"nodeId": root, "selector": selector}))["nodeId"]
    return (await session.send("CSS.getPlatformFontsForNode", {"nodeId": node}))["fonts"]
