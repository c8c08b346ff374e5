"""The owner sees every fixed text in every language beside its default, and words it anew."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.translation import override

from assistant import texts
from assistant.models import Feedback, FixedText
from assistant.texts_admin import NAMES

pytestmark = pytest.mark.django_db

LIST = reverse("admin:assistant_fixedtext_changelist")


@pytest.fixture
def owner(client) -> User:
    user = User.objects.create_superuser("livia", password="a long pass phrase")
    client.force_login(user)
    return user


@pytest.fixture(autouse=True)
def forget():
    yield
    texts._reworded.clear()


def test_every_text_has_its_row_and_its_default_is_shown(client, owner):
    html = client.get(LIST, {"language__exact": "fa"}).content.decode()
    assert FixedText.objects.count() == len(NAMES) * 10
    assert texts.default_text("private", "fa")[:60] in html
    row = FixedText.objects.get(name="private", language="fa")
    change = reverse("admin:assistant_fixedtext_change", args=[row.pk])
    assert texts.default_text("private", "fa") in client.get(change).content.decode()
    assert client.post(change, {"text": "این دستیار پاسخ نمی‌دهد."}).status_code == 302
    row.refresh_from_db()
    assert (row.text, row.changed_by) == ("این دستیار پاسخ نمی‌دهد.", owner)


def test_what_is_not_taken_is_said(client, owner):
    client.get(LIST)
    row = FixedText.objects.get(name="private", language="en")
    change = reverse("admin:assistant_fixedtext_change", args=[row.pk])
    assert "It speaks in the first person" in client.post(change, {"text": "I will not say."}).content.decode()
    assert "at most 600 characters" in client.post(change, {"text": "x" * 700}).content.decode()


def test_the_desk_speaks_the_owners_language(client, owner):
    client.get(LIST)
    row = FixedText.objects.get(name="private", language="de")
    change = reverse("admin:assistant_fixedtext_change", args=[row.pk])
    german = {"HTTP_ACCEPT_LANGUAGE": "de"}
    assert "Ihr Wortlaut" in client.get(change, **german).content.decode()
    refused = client.post(change, {"text": "Ich sage nichts."}, **german).content.decode()
    assert "Er spricht in der ersten Person" in refused
    with override("de"):
        assert Feedback(verdict="down").get_verdict_display() == "Nicht hilfreich"


def test_texts_are_neither_added_nor_deleted(client, owner):
    client.get(LIST)
    assert client.get(reverse("admin:assistant_fixedtext_add")).status_code == 403
    row = FixedText.objects.first()
    assert client.get(reverse("admin:assistant_fixedtext_delete", args=[row.pk])).status_code == 403
