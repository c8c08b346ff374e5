"""Takes the pictures in docs/screenshots anew: `python -m tests.browser.screenshots ADDRESS`, of the demo as it runs.

On the dark phone a question that is refused, else one that is answered.
"""

import asyncio
import sys
from pathlib import Path
from typing import Literal

from playwright.async_api import Browser, async_playwright, expect

from tests.browser.chromium import ARGUMENTS, CHROMIUM, DESKTOP, PHONE

FOLDER = Path(__file__).parents[2] / "docs" / "screenshots"
Scheme = Literal["light", "dark"]
QUESTIONS = {
    "en": ("How did the Norrow project find leaks at night?", "How much do you charge?"),
    "fa": ("چرا از پل اسکرین با ۵۰ هرتز نمونه می‌گیرند؟", "دستمزد شما چقدر است؟"),
    "hi": ("लिविया का एमएससी शोध-प्रबंध किस बारे में था?", "आप कितना शुल्क लेते हैं?"),
    "zh": ("莉维娅目前在做什么？", "你们怎么收费？"),
}
TAKEN: list[tuple[str, dict[str, int], Scheme]] = [
    ("en", PHONE, "light"),
    ("en", DESKTOP, "dark"),
    ("fa", PHONE, "dark"),
    ("fa", DESKTOP, "light"),
    ("hi", PHONE, "light"),
    ("hi", DESKTOP, "dark"),
    ("zh", PHONE, "dark"),
    ("zh", DESKTOP, "light"),
]


async def take(browser: Browser, site: str, language: str, viewport: dict[str, int], scheme: Scheme) -> None:
    """Ask a question and keep what the window shows then."""
    page = await browser.new_page(
        viewport=viewport, color_scheme=scheme, reduced_motion="reduce", is_mobile=viewport == PHONE
    )
    await page.goto(f"{site}/{language}/chat/")
    answered, refused = QUESTIONS[language]
    await page.fill("#question", refused if (viewport, scheme) == (PHONE, "dark") else answered)
    await page.press("#question", "Enter")
    await expect(page.locator(".turn .tools")).to_have_count(1)
    if viewport == DESKTOP:
        await page.evaluate("said.scrollTo({top: 0, behavior: 'instant'})")
    await page.screenshot(path=FOLDER / f"{language}-{viewport['width']}-{scheme}.png")
    await page.close()


async def main(site: str) -> None:
    """Take all of them."""
    FOLDER.mkdir(exist_ok=True)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for picture in TAKEN:
            await take(browser, site.rstrip("/"), *picture)
        await browser.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
