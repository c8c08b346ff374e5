"""A visitor's page of the chat, and what it complained about."""

import asyncio

from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, Request

from tests.browser.chromium import PHONE

QUESTION = "How many days did the battery of the tide gauge at Holm Quay last?"


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
    visitor = await another_tab(context, site, path)
    if options.get("java_script_enabled", True) and path.endswith("/chat/"):
        await connected(visitor)
    return visitor


async def connected(visitor: Visit) -> Visit:
    """The same once its socket is open: what is asked before goes as a form, and returns with the whole answer."""
    await becomes_true(
        visitor.page, "document.getElementById('chat')['htmx-internal-data']?.webSocket?.socket?.readyState === 1"
    )
    return visitor


async def becomes_true(page: Page, expression: str) -> None:
    """Wait for it from here: what Playwright waits for within a page, the page's own policy forbids to evaluate."""
    async with asyncio.timeout(15):
        while not await page.evaluate(expression):
            await asyncio.sleep(0.05)


async def another_tab(context: BrowserContext, site: str, path: str = "/en/chat/") -> Visit:
    page = await context.new_page()
    visitor = Visit(page, site)
    await page.goto(f"{site}{path}")
    return visitor
