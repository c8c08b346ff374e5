"""The chat and its notes, read by axe-core in four scripts, narrow and light, wide and dark; and what it cannot see."""

from itertools import pairwise

import pytest
from playwright.async_api import Page, expect

from tests.browser.chromium import DESKTOP, LEVELS, PHONE, WIDER
from tests.browser.visit import Visit, visit

axe_core = pytest.importorskip("axe_playwright_python.async_playwright", reason="axe-core is not installed")

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site")]

QUESTIONS = {
    "en": ("How many days did the battery of the tide gauge at Holm Quay last?", "How much do you charge?"),
    "fa": ("tide gauge at Holm Quay چند روز battery کار کرد؟", "دستمزد شما چقدر است؟"),
    "zh": ("tide gauge at Holm Quay battery days 多少？", "你们怎么收费？"),
    "hi": ("tide gauge at Holm Quay की battery कितने days चली?", "आप कितना शुल्क लेते हैं?"),
}
STEP = 130  # pixels from one look to the next: links and buttons are 44 high, and no multiple of it apart
# What has the focus, where something else lies on all of it.
COVERED = """() => {
  const focused = document.activeElement, box = focused.getBoundingClientRect();
  const seen = [[0.5, 0.5], [0.1, 0.2], [0.9, 0.2], [0.1, 0.8], [0.9, 0.8]].some(([x, y]) => {
    const found = document.elementFromPoint(box.x + box.width * x, box.y + box.height * y);
    return found && (focused.contains(found) || found.contains(focused));
  });
  return seen ? "" : focused.outerHTML.slice(0, 100);
}"""
SMALL = "e => e.checkVisibility() && !e.closest('.sentence, p') && e.getBoundingClientRect().height < 44"


async def faults(page: Page) -> list[str]:
    found = await axe_core.Axe().run(page, options={"runOnly": [*LEVELS, "best-practice"]})
    return [f"{fault['id']}: {fault['nodes'][0]['html'][:120]}" for fault in found.response["violations"]]


async def answered(visitor: Visit, questions: tuple[str, str]) -> None:
    """Ask both, and open all that can be opened."""
    for number, question in enumerate(questions, start=1):
        await visitor.ask(question)
        await expect(visitor.page.locator(".turn .tools")).to_have_count(number)
    for summary in await visitor.page.locator(".after summary").all():
        await summary.click()


@pytest.mark.parametrize("language", QUESTIONS)
@pytest.mark.parametrize(("viewport", "scheme"), [(PHONE, "light"), (DESKTOP, "dark")], ids=["phone", "desktop"])
async def test_axe_finds_nothing_and_fingers_find_their_target(browser, site, language, viewport, scheme):
    visitor = await visit(browser, site, f"/{language}/chat/", viewport=viewport, color_scheme=scheme)
    page = visitor.page
    assert await faults(page) == []
    await answered(visitor, QUESTIONS[language])
    assert await faults(page) == []
    assert not await page.evaluate(WIDER)
    pressed = "[...document.querySelectorAll('.chat :is(a, button, summary)')]"
    assert await page.evaluate(f"{pressed}.filter({SMALL}).map(e => e.outerHTML)") == []
    for note in ("privacy", "accessibility"):
        await page.goto(f"{site}/{language}/{note}/")
        assert await faults(page) == []


@pytest.mark.parametrize("language", ["en", "fa"])
async def test_however_far_a_reader_scrolls_the_form_lies_on_nothing(browser, site, language):
    visitor = await visit(browser, site, f"/{language}/chat/")
    page = visitor.page
    await answered(visitor, QUESTIONS[language])
    end = await page.evaluate("said.scrollHeight - said.clientHeight")
    assert end > STEP
    for place in range(0, end + STEP, STEP):
        await page.evaluate("top => said.scrollTo({top, behavior: 'instant'})", place)
        assert await faults(page) == [], place


async def test_axe_finds_nothing_on_the_page_that_shows_the_layers(browser, site):
    page = (await visit(browser, site, "/en/how-it-works/", viewport=PHONE)).page
    await page.fill("#demo-question", QUESTIONS["en"][0])
    await page.click(".how-form button")
    await expect(page.locator('[data-layer="end"]')).to_be_visible()
    assert await faults(page) == []


async def test_axe_finds_nothing_on_the_pages_of_records_and_in_the_panel_on_each(browser, site):
    page = (await visit(browser, site, "/en/", viewport=PHONE)).page
    for path in ("", "article/", "article/gauge/", "article/none/", "how-it-works/"):
        await page.goto(f"{site}/en/{path}")
        if await page.locator(".ask-panel").count():
            await page.click(".ask-panel summary")
        assert await faults(page) == [], path


async def test_one_sentence_is_one_announcement_and_nothing_below_an_answer_is_any(browser, site):
    visitor = await visit(browser, site)
    await answered(visitor, QUESTIONS["en"])
    quiet = await visitor.page.locator(".after").evaluate_all("all => all.every(e => e.ariaLive === 'off')")
    assert quiet
    assert await visitor.page.locator("#log").get_attribute("aria-relevant") == "additions"


async def test_nothing_moves_for_those_who_want_less_motion(browser, site):
    visitor = await visit(browser, site, reduced_motion="reduce")
    await visitor.ask(QUESTIONS["en"][0])
    await expect(visitor.page.locator(".sentence").first).to_be_visible()
    assert await visitor.page.evaluate("document.getAnimations().length") == 0


async def test_the_tab_key_goes_from_the_answer_to_the_form_in_the_order_of_the_page(browser, site):
    visitor = await visit(browser, site)
    await answered(visitor, QUESTIONS["en"])
    await visitor.page.locator(".turn .mark").first.focus()
    places = []
    for _ in range(60):
        await visitor.page.keyboard.press("Tab")
        places.append(
            await visitor.page.evaluate("document.activeElement.getBoundingClientRect().top + said.scrollTop")
        )
        if await visitor.page.evaluate("document.activeElement.id === 'question'"):
            break
    else:
        pytest.fail("The form was not reached.")
    log = places[:-1]  # the form itself stands below the box
    assert all(later >= earlier - 60 for earlier, later in pairwise(log))


@pytest.mark.parametrize("language", ["en", "fa"])
@pytest.mark.parametrize("offline", [False, True], ids=["as ever", "with a notice above the form"])
async def test_what_the_keyboard_reaches_is_not_behind_the_form(browser, site, language, offline):
    visitor = await visit(browser, site, f"/{language}/chat/", reduced_motion="reduce")
    page = visitor.page
    await answered(visitor, QUESTIONS[language])
    await page.context.set_offline(offline)
    await expect(page.locator("#connection:empty")).to_have_count(0 if offline else 1)
    await page.evaluate("said.scrollTo({top: 0, behavior: 'instant'})")
    await page.locator(".skip").focus()
    for _ in range(80):
        await page.keyboard.press("Tab")
        if await page.evaluate("document.activeElement.id === 'question'"):
            break
        assert await page.evaluate(COVERED) == ""
    else:
        pytest.fail("The form was not reached.")
