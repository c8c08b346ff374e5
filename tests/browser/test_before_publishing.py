"""The pages around a change in a real browser: they go on by themselves, need no script, fit, and axe finds nothing."""

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group, User
from django.db import connections
from playwright.async_api import Browser, Page, expect

from evals.models import Rehearsal
from records.models import Owner, Record, RecordText
from records.roles import OWNER
from tests.browser.chromium import LEVELS, PHONE

PASSWORD = "a long pass phrase"
RESULT = {
    "suite": "answerable", "language": "en", "case": "en-ans-001", "passed_before": True, "passed_after": False,
    "was": {"rank": 1}, "now": {"rank": None},
}  # fmt: skip
CHOSEN = {"asked": 1, "suggested": 0, "expecting": 1, "left_out": 0, "near": True}

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def row() -> Rehearsal:
    """A rehearsal half done, begun by nobody's worker."""
    user = User.objects.create_user("livia", password=PASSWORD, is_staff=True)
    user.groups.add(Group.objects.get(name=OWNER))
    Owner.objects.create(pk=1, name="Livia Aramesh")
    record = Record.objects.create(kind="case-study", slug="leaks")
    RecordText.objects.create(record=record, language="en", title="Leaks", body="It fell by 36.")
    return Rehearsal.objects.create(record=record, act="publish", state="after", done=3, total=9)


async def open_page(browser: Browser, site: str, path: str, **options) -> tuple[Page, list[str]]:
    """Sign in and open a page; the list fills with what the browser complains of."""
    context = await browser.new_context(**options)
    page = await context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    await page.goto(f"{site}/admin/login/?next={path}")
    await page.fill("#id_username", "livia")
    await page.fill("#id_password", PASSWORD)
    await page.keyboard.press("Enter")
    await page.wait_for_url(f"{site}{path}")
    return page, complaints


def finish(row: Rehearsal) -> None:
    Rehearsal.objects.filter(pk=row.pk).update(state="done", chosen=CHOSEN, results=[RESULT])
    connections.close_all()  # this thread's: the test database could not be dropped otherwise


async def test_a_rehearsal_shows_its_end_by_itself(browser, desk, row):
    page, complaints = await open_page(browser, desk, f"/admin/evals/rehearsal/{row.pk}/")
    await expect(page.get_by_role("status")).to_contain_text("3 of 9")
    await page.evaluate("window.stillHere = true")
    await sync_to_async(finish)(row)
    await expect(page.get_by_role("heading", name="Newly failing: 1")).to_be_visible()
    await expect(page.get_by_role("link", name="en-ans-001")).to_be_visible()
    assert await page.evaluate("window.stillHere")
    assert complaints == []


async def test_a_phrase_is_tried_without_a_script(browser, desk, row):
    page, _ = await open_page(browser, desk, "/admin/assistant/refusalphrase/add/", java_script_enabled=False)
    await page.fill("#id_text", "water")
    await page.select_option("#id_category", "task")
    await page.select_option("#id_language", "en")
    await page.get_by_role("button", name="Try it").click()
    await expect(page.get_by_role("heading", name="What “water” would refuse")).to_be_visible()
    await expect(page.locator("#id_text")).to_have_value("water")


PAGES = ("/admin/evals/rehearsal/{row}/", "/admin/evals/run/groundedness/")


@pytest.mark.parametrize(("scheme", "language"), [("light", "en"), ("dark", "ar")])
async def test_they_fit_a_phone_and_axe_finds_nothing(browser, desk, row, scheme, language):
    axe = pytest.importorskip("axe_playwright_python.async_playwright", reason="axe-core is not installed").Axe()
    await sync_to_async(finish)(row)
    for path in PAGES:
        options = {"viewport": PHONE, "color_scheme": scheme, "locale": language}
        page, complaints = await open_page(browser, desk, path.format(row=row.pk), **options)
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        found = await axe.run(page, options={"runOnly": LEVELS})
        assert found.violations_count == 0, found.generate_report()
        assert complaints == []
