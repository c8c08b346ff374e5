"""The owner's desk in a real browser: by keyboard, on a phone, from right to left, light and dark, nothing inline."""

from datetime import date
from http import HTTPStatus

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.urls import NoReverseMatch, reverse
from playwright.async_api import Browser, Page, expect

from records.admin.addresses import page as address_of
from records.models import Owner, Record, RecordText
from records.publishing import publish
from records.roles import OWNER
from tests.browser.chromium import DESKTOP, LEVELS, PHONE

PASSWORD = "a long pass phrase"
PAGES = ("/admin/records/owner/1/change/", "/admin/metering/spendmonth/", "/admin/assistant/turn/")

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def record() -> Record:
    """A record with an older translation, a draft that was changed, and a step that failed."""
    user = User.objects.create_user("livia", password=PASSWORD, is_staff=True)
    user.groups.add(Group.objects.get(name=OWNER))
    Owner.objects.create(pk=1, name="Livia Aramesh")
    record = Record.objects.create(kind="case-study", slug="leaks", start=date(2018, 10, 1), start_precision="month")
    fa = RecordText.objects.create(record=record, language="fa", title="نشت", body="جریان شبانه کم شد.")
    en = RecordText.objects.create(record=record, language="en", title="Leaks", body="## Results\n\nIt fell by 36.")
    publish(record)
    record.versions.get(language="fa").steps.update(state="failed", error="ConnectionError: refused")
    en.body = "## Results\n\nIt fell by 41."
    en.save()
    assert fa.updated_at < en.updated_at
    return record


async def open_desk(browser: Browser, site: str, path: str, **options) -> tuple[Page, list[str]]:
    """Sign in and open a page of the admin; returns it and what the browser complained about."""
    context = await browser.new_context(**{"viewport": DESKTOP, "locale": "en", **options})
    page = await context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda sent: None if sent.url.startswith(site) else complaints.append(sent.url))
    await page.goto(f"{site}/admin/login/?next={path}", timeout=90_000)
    await page.fill("#id_username", "livia")
    await page.fill("#id_password", PASSWORD)
    await page.press("#id_password", "Enter")
    await page.wait_for_url(f"**{path}")
    return page, complaints


async def too_wide(page: Page) -> bool:
    return bool(await page.evaluate("document.documentElement.scrollWidth > window.innerWidth"))


async def test_a_text_is_previewed_and_published_by_keyboard_alone(browser, desk, record):
    page, complaints = await open_desk(browser, desk, address_of(record, "change"))
    await page.fill("#id_texts-0-body", "## Results\n\nIt fell by *42*.")
    await page.locator("#id_texts-0-body").press("Tab")
    await expect(page.locator(".text-pane").first.get_by_role("button", name="Preview", exact=True)).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator("#texts-0-preview em")).to_have_text("42")
    await expect(page.locator("#texts-0-told")).not_to_be_empty()
    await page.get_by_role("button", name="Save and continue editing").press("Enter")
    await expect(page.locator(".messagelist .success")).to_be_visible()
    await page.get_by_role("link", name="Publish …").press("Enter")
    await expect(page.locator(".consequence")).to_contain_text("English: a new version")
    await page.get_by_role("button", name="Publish").press("Enter")
    await expect(page.locator(".desk")).to_contain_text("version 2")
    assert complaints == []


@pytest.mark.parametrize("language", ["en", "fa", "ar"])
async def test_it_fits_a_phone_in_both_directions(browser, desk, record, language):
    page, complaints = await open_desk(
        browser, desk, address_of(record, "change"), viewport=PHONE, locale=language, has_touch=True
    )
    for path in (address_of(record, "change"), address_of(record, "versions"), "/admin/records/owner/1/change/"):
        await page.goto(desk + path)
        assert await page.evaluate("document.dir") == ("ltr" if language == "en" else "rtl")
        assert not await too_wide(page), path
    await page.goto(desk + address_of(record, "change"))
    heights = await page.evaluate("[...document.querySelectorAll('.acts .button')].map(e => e.offsetHeight)")
    assert min(heights) >= 44
    assert complaints == []


@pytest.mark.parametrize(("scheme", "language"), [("light", "en"), ("dark", "fa")])
async def test_axe_finds_nothing_in_light_and_dark(browser, desk, record, scheme, language):
    axe = pytest.importorskip("axe_playwright_python.async_playwright", reason="axe-core is not installed").Axe()
    change, versions = address_of(record, "change"), address_of(record, "versions")
    page, _complaints = await open_desk(browser, desk, change, color_scheme=scheme, locale=language)
    for path in (change, f"{versions}?language=en", address_of(record, "revoke"), *PAGES):
        await page.goto(desk + path)
        found = await axe.run(page, options={"runOnly": LEVELS})
        assert [(fault["id"], fault["nodes"][0]["html"]) for fault in found.response["violations"]] == [], path


def every_page() -> list[str]:
    """Each list of the admin, and each form for a new row."""
    names = (
        f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}"
        for model in admin.site._registry
        for page in ("changelist", "add")
    )
    return [page for name in names if (page := _address(name))]


def _address(name: str) -> str:
    try:
        return reverse(name)
    except NoReverseMatch:  # what is written by the program alone has no form
        return ""


# Django's own scripts and templates: hints of the boxes that permissions are moved between, the corner cells of a table
# within a form, and the picture that is the label of a search. None leaves a field without its name.
DJANGOS = {"aria-prohibited-attr", "empty-table-header", "label-title-only"}


@pytest.fixture
def superuser(record) -> None:
    """Who may open every page."""
    User.objects.filter(username="livia").update(is_superuser=True)


@pytest.mark.usefixtures("superuser")
async def test_axe_finds_nothing_of_ours_on_any_page_of_the_admin(browser, desk):
    axe = pytest.importorskip("axe_playwright_python.async_playwright", reason="axe-core is not installed").Axe()
    page, _complaints = await open_desk(browser, desk, "/admin/", viewport=PHONE)
    read = 0
    for path in every_page():
        response = await page.goto(desk + path)
        if response.status == HTTPStatus.FORBIDDEN:
            continue  # nothing is added there by hand
        read += 1
        found = await axe.run(page, options={"runOnly": [*LEVELS, "best-practice"]})
        ours = [fault for fault in found.response["violations"] if fault["id"] not in DJANGOS]
        assert [(fault["id"], fault["nodes"][0]["html"]) for fault in ours] == [], path
    assert read > len(admin.site._registry)


async def test_axe_finds_nothing_where_one_signs_in(browser, desk):
    axe = pytest.importorskip("axe_playwright_python.async_playwright", reason="axe-core is not installed").Axe()
    page = await browser.new_page(viewport=PHONE)
    await page.goto(f"{desk}/admin/login/")
    found = await axe.run(page, options={"runOnly": [*LEVELS, "best-practice"]})
    assert [fault["id"] for fault in found.response["violations"]] == []
