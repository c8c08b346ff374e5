"""Machines find what the public reads, in the languages that it has, and nothing else."""

import re
from xml.etree import ElementTree

import pytest
from django.conf import settings
from django.utils import timezone

from records.models import Access, Kind, Owner
from records.publishing import publish, withdraw
from tests.records.drafts import day, draft, published

pytestmark = pytest.mark.django_db

SITE = settings.TRAVA.SITE_URL
ATOM = "{http://www.w3.org/2005/Atom}"


def shown(client, path):
    return client.get(path).content.decode()


@pytest.fixture
def records():
    Owner.objects.create(pk=1, name="Livia Aramesh", names={"fa": "لیویا آرامش"})
    published("leaks", texts={"en": "Leaks.", "fa": "نشتی."})
    published("essay", "Essay.", kind=Kind.ARTICLE, start=day("2021-03-04"))
    published("older", "Older.", kind=Kind.ARTICLE, start=day("2019-01-01"))
    for access in (Access.PRIVATE, Access.RESTRICTED):
        published(f"hidden-{access}", "Hidden.", kind=Kind.ARTICLE, access=access)
    withdraw(published("gone", "Gone.", kind=Kind.ARTICLE).record)
    draft("unpublished", "Draft.", kind=Kind.ARTICLE)


def test_the_sitemap_lists_public_pages_with_their_translations(client, records):
    page = shown(client, "/sitemap.xml")
    found = set(re.findall(r"<loc>[^<]*?(/[a-z]{2}/[^<]*)</loc>", page))
    homes = {
        f"/{code}/{kind}" for code, _ in settings.LANGUAGES for kind in ("", *(f"{kind}/" for kind in Kind.values))
    }
    assert found - homes == {
        "/en/case-study/leaks/",
        "/fa/case-study/leaks/",
        "/en/article/essay/",
        "/en/article/older/",
    }
    assert homes <= found
    assert 'hreflang="fa"' in page


def test_what_is_hidden_is_nowhere_even_for_staff(admin_client, records):
    for path in ("/sitemap.xml", "/en/feed.xml", "/robots.txt"):
        page = shown(admin_client, path)
        assert "hidden" not in page
        assert "gone" not in page
        assert "unpublished" not in page


def test_the_feed_has_the_newest_articles_of_its_language_first(client, records):
    feed = shown(client, "/en/feed.xml")
    assert feed.index("essay in en") < feed.index("older in en")
    assert f"{SITE}/en/article/essay/" in feed
    assert "2021-03-04" in feed
    assert "leaks" not in feed
    persian = shown(client, "/fa/feed.xml")
    assert "essay" not in persian
    assert "لیویا آرامش" in persian


def test_a_page_names_its_own_address_and_its_translations(client, records):
    page = shown(client, "/fa/case-study/leaks/")
    assert f'<link rel="canonical" href="{SITE}/fa/case-study/leaks/">' in page
    assert f'<link rel="alternate" hreflang="en" href="{SITE}/en/case-study/leaks/">' in page
    assert 'hreflang="de"' not in page.partition("</head>")[0]


def test_a_page_shown_in_another_language_points_to_its_own(client, records):
    assert f'<link rel="canonical" href="{SITE}/en/article/essay/">' in shown(client, "/fa/article/essay/")


def test_robots_may_read_pages_and_nothing_else(client):
    page = shown(client, "/robots.txt")
    assert "Disallow: /admin/" in page
    assert f"Sitemap: {SITE}/sitemap.xml" in page


def test_a_title_with_markup_stays_text_in_page_and_feed(client):
    version = published("x", "Text.", kind=Kind.ARTICLE)
    type(version).objects.filter(pk=version.pk).update(title='<script>"&', summary='"><script>')
    for path in ("/en/article/x/", "/en/feed.xml"):
        assert "<script>" not in shown(client, path).replace("<script src=", "")


def test_a_feed_is_what_its_readers_ask_for(client):
    """RFC 4287: an author; and a summary that is said to be HTML is."""
    Owner.objects.update_or_create(pk=1, defaults={"name": "Livia Aramesh"})
    record = draft("essay", "Text.", kind=Kind.ARTICLE, start=day("2021-03-04"))
    record.texts.update(summary="Where p < 0.05 & more.")
    publish(record)
    feed = ElementTree.fromstring(client.get("/en/feed.xml").content)
    assert feed.findtext(f"{ATOM}author/{ATOM}name") == "Livia Aramesh"
    assert feed.findtext(f"{ATOM}entry/{ATOM}summary") == "Where p &lt; 0.05 &amp; more."


def test_a_day_of_the_feed_is_the_owner_s(client):
    published("essay", "Text.", kind=Kind.ARTICLE, start=day("2021-03-04"))
    with timezone.override("America/Sao_Paulo"):
        feed = client.get("/en/feed.xml").content.decode()
    assert "<published>2021-03-04T00:00:00-03:00</published>" in feed
