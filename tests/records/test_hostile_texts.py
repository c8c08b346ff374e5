"""Whatever stands in a record or in the owner's profile, the pages, the feed, the sitemap and the desk stay whole.

All texts are on one site at once, each in a record of its own that is named for it.
"""

import re
from collections.abc import Mapping
from xml.etree import ElementTree

import pytest
from django.contrib import admin
from django.urls import reverse
from django.utils.text import slugify

from guardrails.characters import TURNING, speakable
from records.admin.addresses import page as desk_page
from records.models import Kind, Owner, Record, RecordText, RecordVersion
from records.publishing import publish
from tests.hostile import HARMLESS, PERSIAN, TEXTS, Page, is_safe

pytestmark = pytest.mark.django_db

LANGUAGES = ("en", "fa")
FIELDS = ("organisation", "role", "place", "client", "sector", "deliverable", "for_whom")
BENIGN = dict.fromkeys(TEXTS, HARMLESS)


def fill(texts: Mapping[str, str]) -> None:
    """Publish an article for each text, of which every part is that text: the fields of every kind are among them."""
    for name, text in texts.items():
        fields = {**dict.fromkeys(FIELDS, text), "technologies": [text], "courses": [text], "topics": [text]}
        facts = {"kind": Kind.ARTICLE, "decided_by": text[:200], "fields": fields}
        record, _is_new = Record.objects.update_or_create(slug=slugify(name), defaults=facts)
        for language in LANGUAGES:
            body = f"{text}\n\n# {text}\n\n{text}\n\n- {text}\n- x\n\n| {text} | b |\n|--|--|\n| {text} | d |\n"
            draft = {"title": text[:300], "summary": text, "body": body}
            RecordText.objects.update_or_create(record=record, language=language, defaults=draft)
        publish(record)


def own(text: str) -> None:
    """Make every part of the owner's profile this text."""
    one = {"en": text}
    Owner(
        pk=1, name=text[:200], aliases=[text], names={"fa": text}, tagline=one, contact=one, questions={"en": [text]}
    ).save()


def public_addresses() -> list[str]:
    pages = ["", "article/", *(f"article/{slugify(name)}/" for name in TEXTS)]
    return [f"/{language}/{page}" for language in LANGUAGES for page in pages]


def seen(client, path: str) -> Page:
    response = client.get(path)
    assert response.status_code == 200, path
    return Page(response.content.decode())


def shapes_by_path(client, paths: list[str]) -> dict[str, list[tuple[str, ...]]]:
    return {path: seen(client, path).shapes for path in paths}


def test_public_pages_have_the_elements_that_they_have_with_harmless_texts(client):
    own(HARMLESS)
    fill(BENIGN)
    harmless = shapes_by_path(client, public_addresses())
    fill(TEXTS)
    for path, shapes in harmless.items():
        page = seen(client, path)
        assert is_safe(page), path
        assert page.shapes == shapes, path


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_profile_adds_no_element_to_any_page(client, text):
    paths = ["/en/", "/fa/", "/en/article/", "/en/chat/", "/en/privacy/", "/en/accessibility/", "/en/how-it-works/"]
    own(HARMLESS)
    harmless = shapes_by_path(client, paths)
    own(text)
    for path, shapes in harmless.items():
        page = seen(client, path)
        assert is_safe(page), path
        assert page.shapes == shapes, path
        assert not re.search(f"[{TURNING}]", page.text), path


def test_a_title_is_shown_as_it_was_written(client):
    fill(TEXTS)
    for name, text in TEXTS.items():
        title = " ".join(speakable(text[:300]).split())
        assert title in seen(client, f"/en/article/{slugify(name)}/").text, name


def test_a_cited_passage_opens_within_its_text(client):
    fill(TEXTS)
    for version in RecordVersion.objects.filter(language="en"):
        placement = version.placements.select_related("passage").first()
        assert placement, version
        page = seen(client, f"/passages/{version.pk}/{placement.passage.uid}/")
        assert is_safe(page), version
        assert ("mark", "id") in page.shapes, version


def test_nothing_turns_the_letters_around_it(client):
    fill(TEXTS)
    own(TEXTS["turned letters"])
    for path in [*public_addresses(), "/en/feed.xml", "/sitemap.xml"]:
        assert not re.search(f"[{TURNING}]", client.get(path).content.decode()), path


def test_the_feed_and_the_sitemap_are_well_formed_and_say_what_was_written(client):
    fill(TEXTS)
    own(TEXTS["controls"])
    feed = ElementTree.fromstring(client.get("/en/feed.xml").content)
    titles = {"".join((title.text or "").split()) for title in feed.iterfind("{*}entry/{*}title")}
    assert titles == {"".join(speakable(text[:300]).split()) for text in TEXTS.values()}
    assert len(ElementTree.fromstring(client.get("/sitemap.xml").content)) > len(TEXTS)


def desk_addresses() -> list[str]:
    """Every list of the admin, the pages of each first row, and those of every article."""
    found = []
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        first = model._default_manager.first()
        found.append(reverse(f"{name}_changelist"))
        if first is not None:
            found += [reverse(f"{name}_{page}", args=[first.pk]) for page in ("change", "history", "delete")]
    for article in Record.objects.all():
        found += [reverse("admin:records_article_change", args=[article.pk]), desk_page(article, "versions")]
    return found


def test_the_desk_has_no_element_that_it_has_not_with_harmless_texts(admin_client):
    own(HARMLESS)
    fill(dict.fromkeys(TEXTS, f"{HARMLESS}, replaced"))  # so that there are versions to compare
    fill(BENIGN)
    shapes: dict[str, set[tuple[str, ...]]] = {}
    for texts in (BENIGN, TEXTS):
        fill(texts)
        for path in desk_addresses():
            response = admin_client.get(path, follow=True)
            if response.status_code == 403:
                continue  # what nobody may delete
            assert response.status_code == 200, path
            page = Page(response.content.decode())
            assert is_safe(page), path
            assert set(page.shapes) <= shapes.setdefault(re.sub(r"\d+", "1", path), set(page.shapes)), path


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["as a page", "within the form"])
def test_a_preview_has_the_elements_that_it_has_with_a_harmless_text(admin_client, headers):
    fill({"a record": HARMLESS})
    address = desk_page(Record.objects.get(), "preview")

    def previewed(text: str) -> Page:
        body = f"{text}\n\n# {text}\n\n- {text}\n\n| {text} | b |\n|--|--|\n| {text} | d |\n"
        typed = {"title": text, "summary": text, "body": body, "language": "fa"}
        sent = {"preview": "texts-0", **{f"texts-0-{name}": value for name, value in typed.items()}}
        response = admin_client.post(address, sent, headers=headers)
        assert response.status_code == 200
        return Page(response.content.decode())

    harmless = previewed(HARMLESS)
    for name, text in TEXTS.items():
        page = previewed(text)
        assert is_safe(page), name
        assert page.shapes == harmless.shapes, name
        assert not re.search(f"[{TURNING}]", page.text), name


def test_persian_joins_its_letters_wherever_it_is_shown(client):
    fill({"persian": PERSIAN})
    for path in ("/fa/", "/fa/article/", "/fa/article/persian/", "/fa/feed.xml"):
        assert PERSIAN in client.get(path).content.decode(), path


def test_what_is_published_holds_no_character_that_cannot_be_told():
    fill(TEXTS)
    for version in RecordVersion.objects.all():
        told = f"{version.title}{version.summary}{version.body}{version.text}{version.decided_by}{version.fields}"
        assert speakable(told) == told


class TestAddresses:
    """Query strings and paths that no page of ours made."""

    QUERIES = (
        "?page=-1", "?page=abc", "?page=99999999999999999999", "?page=%00", "?page=%FF", "?version=-1", "?version=%00",
        "?version=99999999999999999999", "?version=٣", "?q=%00", "?q=%ED%A0%80", "?q=%FF%FE", "?q=" + "x" * 6000,
        "?lang=%00", "?lang=../..", "?lang=xx", "?new=%00", "?%00=%00", "?[]=1&a[b]=c", "?q=%E2%80%AE21",
    )  # fmt: skip
    PATHS = (
        "/%00/", "/en/%00/", "/en/article/%00/", "/en/article/a%00/", "/en/article/..%2F..%2Fetc/",
        "/en/article/" + "x" * 3000 + "/", "/EN/", "/xx/", "/en/chat/%00", "/passages/0/x/", "/passages/1/%00/",
        "/passages/99999999999999999999999/x/", "/sitemap-%00.xml", "/sitemap-x.xml", "/sitemap-records.xml?p=-1",
        "/sitemap-records.xml?p=%00", "/en/feed.xml/", "/static/..%2f..%2fmanage.py", "/static/%00", "//evil.example/",
        "/en/%E2%80%AE/", "/%ED%A0%80/",
    )  # fmt: skip
    DESK = (
        "?o=abc", "?o=99", "?p=-1", "?p=abc", "?p=99999", "?q=%00", "?q=" + "x" * 3000, "?e=1", "?all=x",
        "?language=%00", "?language__exact=xx", "?id__in=x", "?pk=abc", "?kind__regex=(", "?_to_field=password",
        "?_popup=%00", "?created_at__year=x", "?created_at__year=99999", "?created_at__month=13&created_at__year=2024",
        "?created_at__gte=%00", "?user__password__startswith=a", "?%00=1", "?guard=%00", "?_changelist_filters=%00",
    )  # fmt: skip

    @pytest.mark.parametrize("query", QUERIES)
    def test_a_public_page_takes_any_query(self, client, query):
        fill({"a": HARMLESS})
        pages = ["/", "/en/", "/en/article/", "/en/article/a/", "/en/feed.xml", "/sitemap.xml", "/en/chat/"]
        for path in [*pages, "/en/privacy/", "/en/how-it-works/", "/robots.txt"]:
            assert client.get(path + query).status_code in (200, 302, 400, 404), path

    @pytest.mark.parametrize("path", PATHS)
    def test_a_path_that_is_none_is_not_found(self, client, path):
        assert client.get(path).status_code in (301, 302, 400, 404)

    @pytest.mark.django_db(transaction=True)  # as in life: a statement that fails ends no other's transaction
    @pytest.mark.parametrize("query", DESK)
    def test_a_list_of_the_desk_takes_any_query(self, admin_client, query):
        fill({"a": HARMLESS})
        for model in ("records_article", "records_alert", "assistant_turn", "metering_charge", "auth_user"):
            path = reverse(f"admin:{model}_changelist")
            assert admin_client.get(path + query).status_code in (200, 302, 400), path
