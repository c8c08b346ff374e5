"""In which language a page speaks, without JavaScript and whatever the browser prefers."""

import re

import pytest
from django.conf import settings
from django.test import AsyncClient

from assistant.database import in_database
from records.models import Record, RecordText
from records.publishing import publish

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site", "fresh_limits")]

LANGUAGES = [code for code, _name in settings.LANGUAGES]


@pytest.fixture
def visitor() -> AsyncClient:
    """A browser that asks for English."""
    return AsyncClient(headers={"accept-language": "en"})


def page_of(response) -> str:
    return response.content.decode()


async def ask(visitor: AsyncClient, question: str, language: str = "fa") -> str:
    """Load the page, send its form, and follow where that leads."""
    await visitor.get(f"/{language}/chat/")
    sent = await visitor.post(f"/{language}/chat/", {"question": question})
    return page_of(await visitor.get(sent["Location"].partition("#")[0]))


@pytest.mark.parametrize(
    ("path", "status"),
    [("", 200), ("chat/", 200), ("article/gauge/", 200), ("article/no-such/", 404), ("nowhere/", 404)],
)
async def test_a_page_speaks_the_language_of_its_address(visitor, path, status):
    for language in LANGUAGES:
        response = await visitor.get(f"/{language}/{path}")
        direction = "rtl" if language in ("fa", "ar") else "ltr"
        assert f'<html lang="{language}" dir="{direction}">' in page_of(response)
        assert response.status_code == status


async def test_a_record_in_every_language_can_be_shown(visitor):
    """Django knows Chinese by its scripts alone and not as `zh`: such a page broke."""
    article = await Record.objects.aget()
    for language in LANGUAGES:
        texts = {"title": f"Title {language}", "body": f"Text {language}."}
        await RecordText.objects.aupdate_or_create(record=article, language=language, defaults=texts)
    await in_database(publish, article)
    for language in LANGUAGES:
        assert f"Text {language}." in page_of(await visitor.get(f"/{language}/article/gauge/"))


@pytest.mark.parametrize(("language", "name"), [("de", "Englisch"), ("zh", "英语"), ("ar", "الإنجليزية")])
async def test_a_missing_translation_names_the_language_that_is_shown(visitor, language, name):
    assert name in page_of(await visitor.get(f"/{language}/article/gauge/"))


class TestPersianWithoutJavaScript:
    async def test_a_refusal_is_in_persian(self, visitor):
        page = await ask(visitor, "دستمزد شما چقدر است؟")
        [refusal] = re.findall(r'<p class="refusal".*?</p>', page)
        assert 'lang="fa" dir="rtl"' in refusal
        assert "این دستیار دربارهٔ دستمزد" in refusal
        assert '<a class="button" href="/fa/#contact">تماس</a>' in page

    async def test_a_records_answer_is_in_persian_with_persian_numbers(self, visitor):
        page = await ask(visitor, "چه مقاله‌هایی نوشته است؟")
        assert "مقالهٔ «A tide gauge in winter» (۲۰۲۲) را نوشته است." in page

    async def test_the_link_of_a_quotation_leads_to_a_page_in_persian(self, visitor):
        page = await ask(visitor, "tide gauge at Holm Quay چند روز battery کار کرد؟")
        link = re.search(r'<li value="1"><a href="([^"]+)"', page)
        assert link
        cited = page_of(await visitor.get(link[1]))
        assert '<html lang="fa" dir="rtl">' in cited
        assert "این نسخهٔ ۱ است" in cited
        assert '<div class="version-text" lang="en" dir="ltr">' in cited
        assert f'href="{link[1].partition("#")[0].replace("lang=fa", "lang=ru")}"' in cited

    async def test_what_cannot_be_asked_is_told_in_persian(self, visitor):
        await visitor.get("/fa/chat/")
        assert "۲٬۰۰۰ نویسه" in page_of(await visitor.post("/fa/chat/", {"question": "؟" * 2_001}))


def test_an_address_without_a_language_speaks_the_browsers(client):
    assert '<html lang="ar" dir="rtl">' in page_of(client.get("/nowhere/", headers={"accept-language": "ar"}))


async def test_a_language_that_the_site_does_not_speak_is_no_wish(visitor):
    assert '<html lang="en"' in page_of(await visitor.get("/nowhere/?lang=xx"))


@pytest.mark.parametrize(("wanted", "word"), [("zh-CN", "登录"), ("fa", "ورود"), ("ar", "إدارة موقع")])
def test_the_admin_speaks_djangos_own_translation(client, wanted, word):
    assert word in page_of(client.get("/admin/login/", headers={"accept-language": wanted}))


async def test_without_compiled_catalogues_the_pages_are_there_in_english(visitor, settings):
    settings.LOCALE_PATHS = []
    for language in LANGUAGES:
        page = page_of(await visitor.get(f"/{language}/chat/"))
        assert "You are talking to a machine." in page
        assert f'<html lang="{language}"' in page
    assert "does not speak about fees" in await ask(visitor, "دستمزد شما چقدر است؟")
