"""Every public page on small screens, under fingers and in forced colours: nothing is cut off, too small or unseen."""

import pytest
from playwright.async_api import Page, expect

from tests.browser.chromium import PHONE, WIDER
from tests.browser.visit import QUESTION, visit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site")]

# A page's address after its language; the last is none.
PAGES = (
    "",
    "article/",
    "article/gauge/",
    "chat/",
    "how-it-works/",
    "privacy/",
    "accessibility/",
    "sign-in/",
    "article/none/",
)
# What does not answer to a finger at its middle and `reach` CSS pixels to each side. A link within a sentence is as
# high as its line, which WCAG 2.5.8 allows.
MISSED = """([selector, reach]) => {
  const withinText = e => e.matches('a:not(.mark)') &&
    [...(e.closest('p, dd')?.childNodes ?? [])].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const hit = (e, x, y) => {
    const found = document.elementFromPoint(x, y);
    return e.contains(found) || [...(e.labels ?? [])].some(label => label.contains(found));
  };
  const missed = e => {
    const box = (e.closest('label') ?? e).getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    return [[0, 0], [reach, 0], [-reach, 0], [0, reach], [0, -reach]].some(([dx, dy]) => !hit(e, x + dx, y + dy));
  };
  return [...document.querySelectorAll(selector)]
    .filter(e => e.checkVisibility() && !e.matches('.skip') && !e.closest('.body') && !withinText(e) && missed(e))
    .map(e => e.outerHTML.slice(0, 160));
}"""
PRESSED = "a:not(.mark), button, summary, select, textarea, input:not([type=hidden])"
HEIGHT = """() => {
  const box = document.getElementById('said'), below = box ? box.scrollHeight - box.clientHeight : 0;
  return document.documentElement.scrollHeight + below;
}"""


async def missed(page: Page, within: str = "body") -> list[str]:
    """What is too small to be pressed: 44 pixels, and 24 for the marks of sources, which stand in the text."""
    height = await page.evaluate(HEIGHT)
    await page.set_viewport_size({"width": PHONE["width"], "height": height})  # nothing lies on anything else
    found = await page.evaluate(MISSED, [f"{within} :is({PRESSED})", 21])
    return [*found, *await page.evaluate(MISSED, [f"{within} .mark", 11])]


@pytest.mark.parametrize("language", ["en", "fa", "zh", "hi"])
async def test_a_finger_finds_everything_that_can_be_pressed(browser, site, language):
    visitor = await visit(browser, site)
    page = visitor.page
    for path in PAGES:
        await page.set_viewport_size(PHONE)
        await page.goto(f"{site}/{language}/{path}")
        assert await missed(page) == [], path
        await page.set_viewport_size(PHONE)
        for summary in await page.locator("summary:visible").all():
            await summary.click()
            assert await missed(page, "details[open]") == [], path
            await page.set_viewport_size(PHONE)
            await summary.click()


@pytest.mark.parametrize("language", ["en", "fa"])
async def test_the_end_of_a_page_is_not_behind_the_panel(browser, site, language):
    visitor = await visit(browser, site, f"/{language}/")
    page = visitor.page
    for path in ("", "article/", "article/gauge/", "privacy/", "accessibility/"):
        await page.goto(f"{site}/{language}/{path}")
        await expect(page.locator(".ask-panel")).to_be_visible()
        await page.evaluate("scrollTo({top: document.documentElement.scrollHeight, behavior: 'instant'})")
        assert await page.evaluate(MISSED, [f".site-footer :is({PRESSED})", 21]) == [], path


async def test_a_finger_finds_everything_under_an_answer_and_a_refusal(browser, site):
    visitor = await visit(browser, site)
    page = visitor.page
    for number, question in enumerate((QUESTION, "How much do you charge?"), start=1):
        await visitor.ask(question)
        await expect(page.locator(".turn .tools")).to_have_count(number)
    for summary in await page.locator(".after summary").all():
        await summary.click()
    assert await page.locator(".mark").count() > 0
    assert await missed(page) == []
    await page.locator(".sources a").first.click()
    await expect(page.locator("mark")).to_be_visible()
    assert await missed(page) == []


# 320 pixels are what a window of 1280 shows at 400 %. The second is text of twice the size on a small tablet.
@pytest.mark.parametrize(("width", "size"), [(320, "100%"), (640, "200%")], ids=["zoomed", "large text"])
async def test_no_page_of_any_language_scrolls_sideways(browser, site, settings, width, size):
    visitor = await visit(browser, site, viewport={"width": width, "height": 640})
    page = visitor.page
    for code, _name in settings.LANGUAGES:
        for path in PAGES:
            await page.goto(f"{site}/{code}/{path}")
            await page.evaluate("size => { document.documentElement.style.fontSize = size; }", size)
            assert not await page.evaluate(WIDER), (code, path)


@pytest.mark.parametrize("language", ["en", "fr", "ru"])
async def test_yes_and_no_stand_on_one_line_and_a_source_beside_its_number(browser, site, language):
    visitor = await visit(browser, site, f"/{language}/chat/", viewport={"width": 320, "height": 640})
    page = visitor.page
    await visitor.ask(QUESTION)
    await expect(page.locator(".turn .tools")).to_have_count(1)
    await page.click(".evidence summary")
    first, second = [await page.locator(f".feedback [value={word}]").bounding_box() for word in ("up", "down")]
    assert first["y"] == second["y"]
    await page.locator(".proof a").first.evaluate("e => { e.textContent = 'A title of many words. '.repeat(5); }")
    number, title = [await page.locator(place).first.bounding_box() for place in (".proof-number", ".proof a")]
    assert number["y"] + number["height"] > title["y"]


async def test_in_forced_colours_what_is_pressed_has_an_edge_and_the_focus_a_frame(browser, site):
    visitor = await visit(browser, site, forced_colors="active")
    page = visitor.page
    await visitor.ask(QUESTION)
    await expect(page.locator(".turn .tools")).to_have_count(1)
    await page.locator(".feedback button[value=up]").click()
    await expect(page.locator(".feedback button[aria-pressed=true]")).to_have_count(1)
    for button in await page.locator("button:visible").all():
        assert await button.evaluate("e => parseFloat(getComputedStyle(e).borderTopWidth) >= 1")
    yes, no = page.locator(".feedback button[value=up]"), page.locator(".feedback button[value=down]")
    edge = "e => getComputedStyle(e).borderTopColor"
    assert await yes.evaluate(edge) != await no.evaluate(edge)
    for target in (page.locator("#question"), yes, page.locator(".brand"), page.locator(".mark").first):
        await page.keyboard.press("Tab")
        await target.focus()
        framed = "e => [e, e.closest('form')].some(e => e && getComputedStyle(e).outlineStyle !== 'none')"
        assert await target.evaluate(framed)


async def test_on_paper_stand_the_question_the_answer_and_its_sources_and_nothing_to_press(browser, site):
    visitor = await visit(browser, site)
    page = visitor.page
    await visitor.ask(QUESTION)
    await expect(page.locator(".turn .tools")).to_have_count(1)
    await page.emulate_media(media="print")
    for shown in (".question", ".sentence", ".sources a"):
        await expect(page.locator(shown).first).to_be_visible()
    assert await page.locator(":is(button, textarea, summary):visible").count() == 0
