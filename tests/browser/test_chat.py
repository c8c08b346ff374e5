"""The chat in a real browser: sentences arrive, a question is refused, it works without JavaScript."""

import pytest
from playwright.async_api import expect

from records.models import Owner
from tests.browser.chromium import DESKTOP, PHONE, WIDER
from tests.browser.visit import QUESTION, another_tab, becomes_true, connected, visit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site")]


@pytest.fixture
def suggested_question(small_site) -> None:
    """The owner suggests the question that the article answers."""
    Owner.objects.update(questions={"en": [QUESTION]})


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
async def test_a_visitor_asks_and_opens_what_a_sentence_rests_on(browser, site, viewport):
    visitor = await visit(browser, site, viewport=viewport)
    await visitor.ask(QUESTION)
    await expect(visitor.page.locator(".answer")).to_contain_text("412 days")
    await expect(visitor.page.locator(".checking")).to_have_count(0)
    await expect(visitor.page.locator("#question")).to_be_focused()
    await expect(visitor.page.locator("#question")).to_have_value("")
    assert not await visitor.page.evaluate(WIDER)
    assert (visitor.complaints, visitor.foreign) == ([], [])
    await visitor.page.locator(".sources a").first.click()
    await expect(visitor.page.locator("mark")).to_contain_text("412 days")


async def test_a_source_opens_at_its_passage_however_far_down_that_stands(browser, site):
    visitor = await visit(browser, site, viewport={"width": 390, "height": 300})
    await visitor.ask(QUESTION)
    passage = visitor.page.locator("mark")
    addresses = [
        await visitor.page.locator(link).first.get_attribute("href") for link in (".mark", ".sources a", ".proof a")
    ]
    await visitor.page.goto(f"{site}{addresses[0].partition('#')[0]}")
    await expect(passage).not_to_be_in_viewport()
    for address in addresses:
        await visitor.page.goto("about:blank")
        await visitor.page.goto(f"{site}{address}")
        await expect(passage).to_be_in_viewport()


async def test_sentences_arrive_one_by_one_while_the_next_is_checked(browser, slow_site, hold):
    hold.after(1)
    visitor = await visit(browser, slow_site)
    await visitor.ask(QUESTION)
    sentences = visitor.page.locator(".sentence")
    await expect(sentences).to_have_count(1)
    await expect(visitor.page.locator(".checking")).to_be_visible()
    hold.after(2)
    await expect(sentences).to_have_count(2)
    await expect(visitor.page.locator(".checking")).to_be_visible()
    assert await visitor.page.locator("#log").get_attribute("aria-live") == "polite"


async def test_what_stands_below_an_answer_does_not_push_its_question_out_of_sight(browser, site):
    visitor = await visit(browser, site, viewport={"width": 390, "height": 700})
    await visitor.ask(QUESTION)
    await expect(visitor.page.locator(".turn .tools")).to_have_count(1)
    await expect(visitor.page.locator(".question")).to_be_in_viewport()
    assert await visitor.page.evaluate("said.scrollTop + said.clientHeight + 1 < said.scrollHeight")
    assert await visitor.page.evaluate("said.scrollTop") > 0


async def test_a_visitor_stops_an_answer_and_asks_on(browser, slow_site, hold):
    hold.after(1)
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
    await expect(visitor.page.locator(".turn .tools")).to_have_count(1)
    said = await visitor.page.locator(".sentence").all_inner_texts()
    await visitor.page.reload()
    assert await visitor.page.locator(".sentence").all_inner_texts() == said


async def test_a_lost_connection_is_found_again_and_nothing_is_asked_or_shown_twice(browser, slow_site, hold):
    hold.after(1)
    visitor = await visit(browser, slow_site)
    await visitor.ask(QUESTION)
    await expect(visitor.page.locator(".sentence")).to_have_count(1)
    await visitor.page.evaluate("document.getElementById('chat')['htmx-internal-data'].webSocket.socket.close(3000)")
    await expect(visitor.page.locator("#connection")).not_to_be_empty()
    await visitor.page.evaluate("document.getElementById('chat')['htmx-internal-data'].webSocket.init()")
    await expect(visitor.page.locator("#connection")).to_be_empty()
    await expect(visitor.page.locator('[data-reason="stopped"]')).to_be_visible()
    await expect(visitor.page.locator(".turn")).to_have_count(1)
    await expect(visitor.page.locator(".sentence")).to_have_count(1)


async def test_a_device_without_a_network_says_so_and_goes_on_once_it_has_one(browser, slow_site, hold):
    hold.after(1)
    visitor = await visit(browser, slow_site)
    await visitor.ask(QUESTION)
    await expect(visitor.page.locator(".sentence")).to_have_count(1)
    await visitor.page.context.set_offline(True)  # which keeps the socket, as a device may for minutes
    await expect(visitor.page.locator("#connection")).not_to_be_empty()
    await visitor.page.context.set_offline(False)
    await expect(visitor.page.locator("#connection")).to_be_empty()
    await expect(visitor.page.locator('[data-reason="stopped"]')).to_be_visible()
    await visitor.ask("How much do you charge?")
    await expect(visitor.page.locator(".refusal")).to_be_visible()
    await expect(visitor.page.locator(".turn")).to_have_count(2)


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
    assert not await visitor.page.evaluate(WIDER)


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
        assert not await visitor.page.evaluate(WIDER), code
        await visitor.page.click(".languages summary")
        box = await visitor.page.locator(".languages ul").bounding_box()
        assert box["x"] >= 0, code
        assert box["x"] + box["width"] <= 320, code


async def test_a_reader_opens_what_each_sentence_rests_on_and_says_what_they_think(browser, site):
    visitor = await visit(browser, site)
    page = visitor.page
    await visitor.ask(QUESTION)
    await page.click(".evidence summary")
    await expect(page.locator(".proof blockquote").first).to_contain_text("412 days")
    await page.click(".feedback button[value=down]")
    await expect(page.locator(".feedback button[value=down]")).to_have_attribute("aria-pressed", "true")
    await expect(page.locator(".feedback button[value=down]")).to_be_focused()
    await page.click(".feedback summary")
    await page.fill(".feedback textarea", "<b>Wrong</b> year")
    await page.check(".feedback [name=report]")
    async with page.expect_response("**/chat/feedback/"):  # the thanks for the verdict stand there already
        await page.click(".feedback details button")
    await expect(page.locator(".feedback [role=status]")).to_be_visible()
    await page.reload()
    await expect(page.locator(".feedback button[value=down]")).to_have_attribute("aria-pressed", "true")
    await expect(page.locator(".feedback textarea")).to_have_value("<b>Wrong</b> year")
    assert visitor.complaints == []


@pytest.mark.usefixtures("suggested_question")
async def test_a_refused_visitor_presses_a_question_that_is_answered_and_asks_it_again(browser, site):
    visitor = await visit(browser, site, "/en/chat/?new")
    await visitor.ask("How much do you charge?")
    await visitor.page.click(".ways .suggestions button")
    await expect(visitor.page.locator(".answer").nth(1)).to_contain_text("412 days")
    await expect(visitor.page.locator("#stop")).to_have_count(0)
    await visitor.page.locator(".tools [name=suggested]").last.click()
    await expect(visitor.page.locator(".turn")).to_have_count(3)
    await expect(visitor.page.locator("#stop")).to_have_count(0)
    await visitor.page.reload()  # it was a new conversation when it began
    await expect(visitor.page.locator(".turn")).to_have_count(3)
    assert visitor.complaints == []


async def test_an_answer_is_copied_with_its_sources(browser, site):
    visitor = await visit(browser, site)
    await visitor.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await visitor.ask(QUESTION)
    await visitor.page.click("[data-copy]")
    await expect(visitor.page.locator("[data-copied]")).not_to_be_empty()
    copied = await visitor.page.evaluate("navigator.clipboard.readText()")
    assert "412 days in the winter of 2021. [1]" in copied
    assert f"[1] A tide gauge in winter {site}/passages/" in copied


async def test_two_tabs_share_a_conversation_and_neither_loses_what_it_shows(browser, site):
    first = await visit(browser, site)
    await first.ask("How much do you charge?")
    await expect(first.page.locator(".refusal")).to_be_visible()
    second = await another_tab(first.page.context, site)
    await expect(second.page.locator(".refusal")).to_be_visible()
    await second.ask(QUESTION)
    await first.ask("What is her home address?")
    for tab, said in ((second, "412 days"), (first, "private")):
        await expect(tab.page.locator(".turn").nth(1)).to_contain_text(said)
        await expect(tab.page.locator("#stop")).to_have_count(0)
    await first.page.reload()
    await expect(first.page.locator(".turn")).to_have_count(3)


async def test_a_question_while_another_is_answered_stays_in_the_form(browser, slow_site, hold):
    hold.after(1)
    visitor = await visit(browser, slow_site)
    await visitor.ask(QUESTION)
    await expect(visitor.page.locator(".sentence")).to_have_count(1)
    await visitor.ask("And who repaired it?")
    await expect(visitor.page.locator("#form-notice")).to_contain_text("still being answered")
    await expect(visitor.page.locator("#question")).to_have_value("And who repaired it?")
    hold.after(2)
    await expect(visitor.page.locator(".sentence")).to_have_count(2)
    await expect(visitor.page.locator(".turn")).to_have_count(1)
    await visitor.page.click("#stop button")
    await expect(visitor.page.locator('[data-reason="stopped"]')).to_be_visible()
    await expect(visitor.page.locator("#form-notice")).to_be_empty()
    await expect(visitor.page.locator("#question")).to_have_value("And who repaired it?")


async def test_a_reload_in_the_middle_of_an_answer_shows_what_was_released_once(browser, slow_site, hold):
    hold.after(1)
    visitor = await visit(browser, slow_site)
    await visitor.ask(QUESTION)
    await expect(visitor.page.locator(".sentence").first).to_be_visible()
    await visitor.page.reload()
    await expect(visitor.page.locator('[data-reason="stopped"]')).to_be_visible()
    await expect(visitor.page.locator(".tools [name=suggested]")).to_be_visible()
    await expect(visitor.page.locator(".sentence")).to_have_count(1)


async def test_a_reader_who_comes_back_is_where_they_were_and_who_comes_anew_at_the_end(browser, site):
    visitor = await visit(browser, site, viewport={"width": 390, "height": 600})
    page = visitor.page
    for number in (1, 2):
        await visitor.ask(QUESTION)
        await expect(page.locator(".turn .tools")).to_have_count(number)
    await page.evaluate("said.scrollTo({top: 150, behavior: 'instant'})")
    await becomes_true(page, "history.state?.said === 150")
    await page.reload()
    assert await page.evaluate("said.scrollTop") == 150
    await page.goto(f"{site}/en/privacy/")
    await page.go_back()
    assert await page.evaluate("said.scrollTop") == 150
    await page.goto(f"{site}/en/privacy/")
    await page.goto(f"{site}/en/chat/")
    await expect(page.locator(".question").last).to_be_in_viewport()


async def test_in_a_window_that_is_too_low_for_both_the_page_scrolls_to_the_form(browser, site):
    visitor = await visit(browser, site, viewport={"width": 320, "height": 256})
    page = visitor.page
    await visitor.ask(QUESTION)
    await expect(page.locator(".turn .tools")).to_have_count(1)
    await expect(page.locator("#question")).to_be_in_viewport(ratio=1)
    await expect(page.locator("#said")).to_be_in_viewport()
    assert await page.locator("#said").evaluate("e => e.clientHeight <= innerHeight")


async def test_a_connection_that_has_died_unnoticed_is_replaced_and_the_question_sent_again(browser, site):
    context = await browser.new_context(viewport=PHONE)
    # Of the first socket every frame gets lost on its way; and nobody wants to wait for 20 seconds.
    await context.add_init_script(
        """
        const {send} = WebSocket.prototype;
        let first = null;
        WebSocket.prototype.send = function (frame) {
          first ??= this;
          if (this !== first) send.call(this, frame);
        };
        const later = window.setTimeout;
        window.setTimeout = (run, ms, ...rest) => later(run, Math.min(ms, 1000), ...rest);
        """
    )
    visitor = await another_tab(context, site)
    await visitor.ask(QUESTION)
    await expect(visitor.page.locator(".answer")).to_contain_text("412 days")
    await expect(visitor.page.locator(".turn")).to_have_count(1)


async def test_the_late_end_of_a_dead_connection_ends_no_answer_on_the_new_one(browser, slow_site, hold):
    hold.after(2)
    context = await browser.new_context(viewport=PHONE)
    # Nothing comes through the first socket, and the browser gives up its closing while the next answer runs: Chromium
    # does after a minute, which nobody wants to wait for, nor for 20 seconds before.
    await context.add_init_script(
        """
        const {send, close} = WebSocket.prototype;
        let first = null;
        WebSocket.prototype.send = function (frame) {
          first ??= this;
          if (this !== first) send.call(this, frame);
        };
        WebSocket.prototype.close = function (...how) {
          if (this !== first) return close.apply(this, how);
          later(() => { window.given_up = true; first.dispatchEvent(new CloseEvent("close", {code: 1006})); }, 1500);
        };
        const later = window.setTimeout;
        window.setTimeout = (run, ms, ...rest) => later(run, Math.min(ms, 500), ...rest);
        """
    )
    visitor = await connected(await another_tab(context, slow_site))
    await visitor.ask(QUESTION)
    await expect(visitor.page.locator(".sentence")).to_have_count(2)
    await becomes_true(visitor.page, "window.given_up")
    hold.release()
    await expect(visitor.page.locator(".turn .tools")).to_have_count(1)
    await expect(visitor.page.locator(".sentence")).to_have_count(3)
    await expect(visitor.page.locator(".turn [data-reason]")).to_have_count(0)


async def test_another_language_keeps_what_was_typed(browser, site):
    visitor = await visit(browser, site)
    await visitor.page.fill("#question", "Which mast?")
    await visitor.page.click(".languages summary")
    await visitor.page.click(".languages [hreflang=de]")
    await expect(visitor.page.locator("html[lang=de] #question")).to_have_value("Which mast?")


class TestWithoutJavaScript:
    @pytest.mark.usefixtures("suggested_question")
    async def test_a_question_from_the_panel_and_a_word_on_the_answer_need_none(self, browser, site):
        visitor = await visit(browser, site, "/en/", java_script_enabled=False)
        page = visitor.page
        await page.click(".ask-panel summary")
        await page.fill("#panel-question", "How much do you charge?")
        await page.click(".ask-panel button")
        await expect(page.locator("#question")).to_have_value("How much do you charge?")
        await page.click("#ask button")
        await page.click(".ways .suggestions button")
        await expect(page.locator(".answer").last).to_contain_text("412 days")
        await page.locator(".evidence summary").click()
        await expect(page.locator(".proof").first).to_be_visible()
        await page.locator(".feedback button[value=up]").last.click()
        await expect(page.locator(".feedback button[value=up]").last).to_have_attribute("aria-pressed", "true")

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
