"""Fifty sentences, one after the other: what is being read stays where it is, and the page follows who follows it."""

import logging
from pathlib import Path
from statistics import quantiles

import pytest
from playwright.async_api import Browser, Page, expect

from records.models import Record, RecordText
from records.publishing import publish
from tests.assistant.live_site import live_site
from tests.browser.chromium import DESKTOP, PHONE
from tests.browser.visit import QUESTION, Visit, another_tab, connected

logger = logging.getLogger(__name__)
SENTENCES = 50  # as tests/assistant/long_site.py says; importing that would replace this process's provider

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site", "persian_text")]

STEADY = 0.01  # share of the window that was moved, all shifts of an answer together; a page is called steady up to 0.1
CLOCKS = 5  # milliseconds by which two programs' clocks on one machine may differ
QUESTIONS = {"en": QUESTION, "fa": "باتری جزرسنج اسکلهٔ هولم چند روز دوام آورد؟"}
IN_PERSIAN = (
    "جزرسنج اسکلهٔ هولم هر شش دقیقه تراز آب را گزارش می‌کند. "
    "باتری آن در زمستان ۱۴۰۰ چهارصد و دوازده روز دوام آورد. "
    "گروه بندر دکل را پس از توفان تعمیر کرد."
)
# Notes each shift that nobody's key or finger caused and what it moved, where each sentence stood in its first frame
# and when that was painted, and where the form was then.
WATCH = """
window.shifts = [];
window.arrived = [];
window.painted = [];
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) {
    if (!entry.hadRecentInput) shifts.push([entry.value, entry.sources.map(moved => moved.node?.className)]);
  }
}).observe({type: "layout-shift", buffered: true});
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) painted.push(performance.timeOrigin + entry.renderTime);
}).observe({type: "element", buffered: true});
const place = element => element.getBoundingClientRect().top + said.scrollTop;
new MutationObserver(changes => {
  const added = changes.flatMap(change => [...change.addedNodes]);
  for (const sentence of added.filter(node => node.matches?.(".sentence"))) {
    sentence.setAttribute("elementtiming", "sentence");
    requestAnimationFrame(() => arrived.push({
      sentence, top: place(sentence), form: document.querySelector(".composer").getBoundingClientRect().top,
      end: said.scrollHeight <= said.scrollTop + said.clientHeight + 1,
    }));
  }
}).observe(document, {subtree: true, childList: true});
"""
PAINTED = "() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)))"
MOVED = """() => arrived.map(({sentence, top}) => Math.abs(sentence.getBoundingClientRect().top + said.scrollTop - top))
  .filter(pixels => pixels >= 1)"""


@pytest.fixture(scope="module")
def releases(tmp_path_factory) -> Path:
    """Where the site notes when it handed a sentence to the latch, which releases it then or later."""
    return tmp_path_factory.mktemp("releases") / "milliseconds"


@pytest.fixture(scope="module")
def long_site(django_db_setup, django_db_blocker, tmp_path_factory, releases, holds):
    log = tmp_path_factory.mktemp("daphne") / "log"
    with live_site(log, "tests.assistant.long_site:application", RELEASES=str(releases), HELD_AFTER=str(holds)) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def persian_text(small_site) -> None:
    """The article speaks Persian, too."""
    article = Record.objects.get(slug="gauge")
    RecordText.objects.create(record=article, language="fa", title="جزرسنجی در زمستان", body=IN_PERSIAN)
    publish(article)


async def watched(browser: Browser, site: str, language: str, viewport: dict[str, int]) -> Visit:
    context = await browser.new_context(viewport=viewport)
    await context.add_init_script(WATCH)
    return await connected(await another_tab(context, site, f"/{language}/chat/"))


async def all_arrived(page: Page) -> None:
    await expect(page.locator(".sentence")).to_have_count(SENTENCES, timeout=60_000)
    await expect(page.locator(".turn .tools")).to_have_count(1)


@pytest.mark.parametrize("language", QUESTIONS)
@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
async def test_nothing_jumps_while_fifty_sentences_arrive(browser, long_site, releases, language, viewport):
    releases.unlink(missing_ok=True)
    visitor = await watched(browser, long_site, language, viewport)
    page = visitor.page
    await page.fill("#question", QUESTIONS[language])  # no key, so that the field's growing would count
    await page.evaluate(PAINTED)
    await page.evaluate("shifts.length = 0")
    await page.press("#question", "Enter")
    await all_arrived(page)
    shifts = await page.evaluate("shifts")
    shifted = sum(share for share, _moved in shifts)
    assert shifted <= STEADY, shifts
    assert await page.evaluate(MOVED) == []
    seen = await page.evaluate("arrived.map(({form, end}) => ({form, end}))")
    assert len(seen) == SENTENCES
    assert all(one["end"] for one in seen)  # who asked reads on at the end
    forms = [one["form"] for one in seen[SENTENCES // 2 :]]  # by then the page is longer than the window
    assert max(forms) - min(forms) < 1
    assert visitor.complaints == []
    painted = await page.evaluate("painted")
    released = [float(line) for line in releases.read_text().splitlines()]
    assert len(painted) == len(released) == SENTENCES
    waits = [seen - gone for gone, seen in zip(released, painted, strict=True)]
    assert min(waits) > -CLOCKS  # nothing is on the screen that was not released
    assert painted == sorted(painted)
    p50, p95 = quantiles(waits, n=100)[49], quantiles(waits, n=100)[94]
    logger.info("Shifted %.4f. Release to screen: first %.0f ms, p50 %.0f, p95 %.0f", shifted, waits[0], p50, p95)


async def test_who_reads_further_up_is_left_there(browser, long_site, hold):
    hold.after(20)
    visitor = await watched(browser, long_site, "en", PHONE)
    page = visitor.page
    await visitor.ask(QUESTION)
    await expect(page.locator(".sentence").nth(14)).to_be_attached()
    await page.evaluate("said.scrollTo({top: 200, behavior: 'instant'})")
    here = await page.evaluate("said.scrollTop")
    assert await page.locator(".sentence").count() < SENTENCES
    hold.release()
    await all_arrived(page)
    assert await page.evaluate("said.scrollTop") == here
