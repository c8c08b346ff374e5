"""Lists, cards and the sitemap: every kind in every language, each record in the best language there is, bounded."""

import re

import pytest
from django.conf import settings
from django.db import connections
from django.test.utils import CaptureQueriesContext

from records import finding, views
from records.models import Kind, Owner
from records.publishing import publish
from tests.records.drafts import day, draft, published

pytestmark = pytest.mark.django_db

SITE = settings.TRAVA.SITE_URL
LANGUAGES = [code for code, _name in settings.LANGUAGES]


def shown(client, path):
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


def queries(client, path):
    with CaptureQueriesContext(connections["default"]) as captured:
        shown(client, path)
    return len(captured)


class TestKindLists:
    def test_a_kind_has_a_list_of_its_own_newest_first(self, client):
        published("older", "Text.", start=day("2019-01-01"))
        published("newer", "Text.", start=day("2021-01-01"))
        published("essay", "Text.", kind=Kind.ARTICLE)
        page = shown(client, "/en/case-study/")
        assert page.index("newer in en") < page.index("older in en")
        assert "essay in en" not in page

    @pytest.mark.parametrize("kind", Kind.values)
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_every_list_is_there_in_every_language_even_when_it_is_empty(self, client, language, kind):
        page = shown(client, f"/{language}/{kind}/")
        assert f'<html lang="{language}"' in page

    def test_no_other_word_is_a_list(self, client):
        assert client.get("/en/pictures/").status_code == 404

    def test_a_record_without_translation_is_shown_in_its_own_language_and_the_page_says_so(self, client):
        published("leaks", texts={"fa": "نشتی."})
        page = shown(client, "/de/case-study/")
        assert '<li class="card" lang="fa" dir="rtl">' in page
        assert '<span class="tag">Persisch</span>' in page
        assert "notice standing" in page
        own = shown(client, "/fa/case-study/")
        assert 'class="tag"' not in own
        assert "notice standing" not in own

    def test_a_long_list_comes_in_pages(self, client, monkeypatch):
        monkeypatch.setattr(views, "A_PAGE", 2)
        for year in range(2001, 2006):
            published(f"y{year}", "Text.", start=day(f"{year}-01-01"))
        assert "y2005" in (first := shown(client, "/en/case-study/"))
        assert "y2003" not in first
        assert 'rel="next" href="?page=2"' in first
        last = shown(client, "/en/case-study/?page=3")
        assert "y2001" in last
        assert f'rel="canonical" href="{SITE}/en/case-study/?page=3"' in last
        assert f'hreflang="fa" href="{SITE}/fa/case-study/?page=3"' in last
        assert f'rel="canonical" href="{SITE}/en/case-study/"' in first
        nonsense = shown(client, "/en/case-study/?page=nonsense")
        assert "y2005" in nonsense
        assert "y2003" not in nonsense

    def test_the_home_page_shows_the_newest_and_leads_to_all(self, client, monkeypatch):
        monkeypatch.setattr(views, "AT_HOME", 1)
        published("older", "Text.", start=day("2019-01-01"))
        published("newer", "Text.", start=day("2021-01-01"))
        page = shown(client, "/en/")
        assert "newer in en" in page
        assert "older in en" not in page
        assert page.count('href="/en/case-study/"') >= 2

    @pytest.mark.parametrize("path", ["/en/", "/en/case-study/", "/en/feed.xml", "/sitemap.xml"])
    def test_more_records_and_languages_ask_the_database_no_more(self, client, path):
        Owner.objects.create(pk=1, name="Livia Aramesh")
        published("one", "Text.")
        few = queries(client, path)
        for slug in ("two", "three", "four"):
            published(slug, texts=dict.fromkeys(("en", "fa", "pt", "zh"), "Text."))
            published(f"{slug}-essay", "Text.", kind=Kind.ARTICLE)
        assert queries(client, path) == few

    def test_a_record_page_asks_once_which_languages_there_are(self, client):
        published("one", "Text.")
        few = queries(client, "/en/case-study/one/")
        publish(draft("one", texts=dict.fromkeys(LANGUAGES, "Text.")))
        assert queries(client, "/en/case-study/one/") == few

    def test_dates_are_written_as_the_reader_writes_them(self, client):
        published("leaks", "Text.", start=day("2018-09-01"), start_precision="month")
        for language, written in (("de", "September 2018"), ("fa", "سپتامبر ۲۰۱۸"), ("zh", "2018年9月")):
            assert written in shown(client, f"/{language}/case-study/")


class TestCards:
    """What a link to a page looks like elsewhere."""

    def metas(self, page):
        return dict(re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)">', page))

    def test_a_card_says_title_site_language_and_address(self, client):
        Owner.objects.create(pk=1, name="Livia Aramesh")
        publish_with_summary("leaks", "Forty per cent less.")
        card = self.metas(shown(client, "/en/case-study/leaks/"))
        assert card["og:title"] == card["twitter:title"] == "leaks in en"
        assert card["og:description"] == card["twitter:description"] == card["description"] == "Forty per cent less."
        assert (card["og:site_name"], card["og:locale"]) == ("Livia Aramesh", "en_US")
        assert (card["og:url"], card["twitter:card"]) == (f"{SITE}/en/case-study/leaks/", "summary")
        assert card["article:modified_time"]

    def test_a_text_without_a_summary_is_described_by_how_it_begins(self, client):
        published("leaks", "# Results\n\nNight flow fell. " + "It fell further. " * 40)
        card = self.metas(shown(client, "/en/case-study/leaks/"))
        assert card["description"].startswith("Night flow fell.")
        assert len(card["description"]) <= views.DESCRIPTION

    def test_an_article_says_when_it_appeared(self, client):
        published("essay", "Text.", kind=Kind.ARTICLE, start=day("2021-03-04"))
        assert self.metas(shown(client, "/en/article/essay/"))["article:published_time"] == "2021-03-04"

    @pytest.mark.parametrize(("language", "locale"), [("pt", "pt_BR"), ("fa", "fa_IR"), ("zh", "zh_CN")])
    def test_the_language_comes_with_a_country(self, client, language, locale):
        assert self.metas(shown(client, f"/{language}/"))["og:locale"] == locale


def publish_with_summary(slug, summary):
    record = draft(slug, "Text.")
    record.texts.update(summary=summary)
    publish(record)


class TestSitemap:
    def test_it_names_the_lists(self, client):
        page = shown(client, "/sitemap.xml")
        assert all(f"/{code}/{kind}/</loc>" in page for code in LANGUAGES for kind in Kind.values)

    def test_beyond_its_bound_it_is_an_index_of_files(self, client, monkeypatch):
        monkeypatch.setattr(finding.Records, "limit", 3)
        for number in range(4):
            published(f"r{number}", "Text.")
        index = shown(client, "/sitemap.xml")
        assert "<sitemapindex" in index
        files = re.findall(r"<loc>[^<]*?(/sitemap-[^<]*)</loc>", index)
        assert len(files) == 3
        found = "".join(shown(client, file.replace("&amp;", "&")) for file in files)
        assert all(f"/en/case-study/r{number}/</loc>" in found for number in range(4))
        assert client.get("/sitemap-drafts.xml").status_code == 404


class TestFeed:
    def test_an_undated_article_has_the_day_of_its_publication(self, client):
        version = published("essay", "Text.", kind=Kind.ARTICLE)
        assert f"<updated>{version.published_at.isoformat()[:16]}" in shown(client, "/en/feed.xml")
