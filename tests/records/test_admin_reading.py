"""The admin's pages of ours as a screen reader meets them: labels, headings, ids."""

import pytest
from django.urls import reverse

from records.admin.addresses import page
from records.models import Owner
from tests.records.desk import ADD, LIST, act, faults_for_a_screen_reader, sign_in
from tests.records.drafts import draft, published

pytestmark = pytest.mark.django_db

NONE = {"unlabelled": [], "twice": [], "skipped": [], "h1": 1}


@pytest.fixture(autouse=True)
def owner(client):
    return sign_in(client, "owner")


@pytest.mark.parametrize("name", ["change", "versions", "publish", "withdraw", "revoke"])
def test_a_records_pages_can_be_read_aloud(client, name):
    record = published("leaks", texts={"en": "It fell.", "fa": "کم شد"}).record
    draft("leaks", "It rose.")
    assert faults_for_a_screen_reader(client.get(page(record, name))) == NONE


@pytest.mark.parametrize("address", [LIST, ADD, reverse("admin:records_owner_change", args=[1])])
def test_lists_and_empty_forms_and_the_profile_too(client, address):
    Owner.objects.create(pk=1, name="Livia")
    draft("leaks", "It fell.")
    assert faults_for_a_screen_reader(client.get(address)) == NONE


def test_the_question_for_access_too(client):
    assert faults_for_a_screen_reader(act(client, "access_selected", draft("leaks", "It fell."))) == NONE
