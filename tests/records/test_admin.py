"""The owner's desk: drafts are saved, published, withdrawn and revoked there, and ingestion is seen."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from records.models import CVEntry, Kind, Owner, Record
from tests.records.drafts import ask, draft, published

pytestmark = pytest.mark.django_db

TEXT = "Night flow in Norrow fell by forty per cent."
LIST = reverse("admin:records_casestudy_changelist")


@pytest.fixture
def owner(client):
    user = User.objects.create_superuser("livia", password="a long pass phrase")
    client.force_login(user)
    return user


def act(client, action, record):
    return client.post(LIST, {"action": action, "_selected_action": [record.pk]}, follow=True)


def test_the_actions_publish_withdraw_and_revoke(client, owner):
    record = draft("leaks", TEXT)
    act(client, "publish_selected", record)
    assert ask("night flow in Norrow").hits
    assert record.versions.get().published_by == owner
    act(client, "withdraw_selected", record)
    assert not ask("night flow in Norrow").hits
    act(client, "revoke_selected", record)
    assert record.versions.get().text == ""


def test_the_list_shows_what_is_published_and_how_far_ingestion_is(client, owner):
    published("leaks", TEXT)
    page = client.get(LIST).content.decode()
    assert "en v1" in page
    assert "waiting" in page.lower()


def test_each_kind_is_edited_on_its_own_and_keeps_its_kind(client, owner):
    published("leaks", TEXT)
    assert "leaks" not in client.get(reverse("admin:records_cventry_changelist")).content.decode()
    form = {"slug": "prize", "access": "public", "authority": "0", "fields": "{}"}
    texts = {
        "texts-TOTAL_FORMS": "1",
        "texts-INITIAL_FORMS": "0",
        "texts-0-language": "en",
        "texts-0-title": "Prize",
        "texts-0-body": TEXT,
        "texts-0-fields": "{}",
        "texts-0-relations": "[]",
    }
    response = client.post(reverse("admin:records_cventry_add"), form | texts)
    assert response.status_code == 302
    record = Record.objects.get(slug="prize")
    assert (record.kind, record.texts.get().body) == (Kind.CV, TEXT)
    assert CVEntry.objects.get().pk == record.pk


def test_a_published_record_is_withdrawn_and_never_deleted(client, owner):
    record = published("leaks", TEXT).record
    url = reverse("admin:records_casestudy_delete", args=[record.pk])
    assert client.post(url, {"post": "yes"}).status_code == 403
    act(client, "delete_selected", record)
    assert Record.objects.filter(pk=record.pk).exists()


def test_the_slug_of_a_published_record_stays(client, owner):
    record = published("leaks", TEXT).record
    page = client.get(reverse("admin:records_casestudy_change", args=[record.pk])).content.decode()
    assert 'name="slug"' not in page


def test_there_is_one_owner(client, owner):
    add = reverse("admin:records_owner_add")
    empty = dict.fromkeys(("aliases", "domains", "allowed"), "")
    values = {"name": "Livia"} | empty | dict.fromkeys(("names", "pronouns", "tagline", "contact", "questions"), "{}")
    assert client.post(add, values).status_code == 302
    assert Owner.objects.get().pk == 1
    assert client.get(add).status_code == 403
