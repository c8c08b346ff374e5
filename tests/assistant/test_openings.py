"""A cited source opened from the chat is one more of its day, and nothing is kept of who opened it."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from assistant.models import DayFigure
from records.publishing import revoke
from tests.records.drafts import published

pytestmark = pytest.mark.django_db

CHAT = "http://testserver/en/chat/"


@pytest.fixture
def version():
    return published("leaks", "Night flow in Norrow fell by forty per cent.")


def passage(version):
    return reverse("records:passage", args=[version.pk, version.placements.first().passage_id])


def as_cited(version):
    return f"{reverse('records:record', args=['en', version.record.kind, version.record.slug])}?version={version.pk}"


def opened():
    return {(row.day, row.language, row.name): row.count for row in DayFigure.objects.filter(kind="opened")}


@pytest.mark.parametrize("place", [passage, as_cited])
def test_each_opening_from_an_answer_is_one_more_of_the_day(client, version, place):
    for page in (CHAT, "http://testserver/en/chat/widget/"):
        assert client.get(place(version), headers={"referer": page}).status_code == 200
    assert opened() == {(timezone.localdate(), "en", ""): 2}


@pytest.mark.parametrize(
    "referrer",
    [
        "",
        "http://testserver/en/",
        "http://testserver/nowhere",
        "https://elsewhere.example/en/chat/",
        "http://[",
        "chat",
    ],
)
def test_what_was_not_opened_from_an_answer_is_not_counted(client, version, referrer):
    assert client.get(passage(version), headers={"referer": referrer} if referrer else {}).status_code == 200
    assert opened() == {}


def test_a_record_that_nobody_cited_is_not_counted(client, version):
    assert client.get(as_cited(version).partition("?")[0], headers={"referer": CHAT}).status_code == 200
    assert opened() == {}


def test_what_does_not_open_is_not_counted(client, version):
    revoke(version.record)
    assert client.get(passage(version), headers={"referer": CHAT}).status_code == 410
    assert client.get("/passages/999999/x/", headers={"referer": CHAT}).status_code == 404
    assert client.head(passage(version), headers={"referer": CHAT}).status_code == 410
    assert opened() == {}


def test_the_owners_own_looking_is_not_counted(client, version):
    client.force_login(User.objects.create_user("owner", is_staff=True))
    assert client.get(passage(version), headers={"referer": CHAT}).status_code == 200
    assert opened() == {}


def test_a_head_request_is_no_opening(client, version):
    assert client.head(passage(version), headers={"referer": CHAT}).status_code == 200
    assert opened() == {}


def test_the_page_stands_where_the_figure_cannot_be_kept(client, version):
    most = 2**63 - 1
    DayFigure.objects.create(day=timezone.localdate(), language="en", kind="opened", count=most)
    assert client.get(passage(version), headers={"referer": CHAT}).status_code == 200
    assert DayFigure.objects.get().count == most
