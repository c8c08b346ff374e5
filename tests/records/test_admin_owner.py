"""The owner's profile: typed per language, never as JSON."""

import pytest
from django.urls import reverse

from records.models import Owner
from tests.records.desk import edit, fields, sign_in, text

pytestmark = pytest.mark.django_db

ADD, LIST = reverse("admin:records_owner_add"), reverse("admin:records_owner_changelist")
CHANGE = reverse("admin:records_owner_change", args=[1])


@pytest.fixture(autouse=True)
def owner(client):
    return sign_in(client, "owner")


@pytest.fixture
def profile():
    return Owner.objects.create(
        pk=1,
        name="Livia",
        aliases=["Aramesh", "Lívia"],
        names={"fa": "لیویا"},
        pronouns={"en": ["she", "her"], "fa": ["او"]},
        tagline={"en": "Water."},
        contact={"en": "Write to\n\n[us](mailto:us@example.org)."},
        questions={"en": ["What?", "Where?"]},
        domains=["example.org"],
        allowed=["us@example.org"],
    )


def test_there_is_one(client):
    assert edit(client, ADD, name="Livia").status_code == 302
    assert Owner.objects.get().pk == 1
    assert client.get(ADD).status_code == 403
    assert client.get(LIST).url == CHANGE


def test_what_is_stored_is_shown_as_it_is_typed(client, profile):
    shown = fields(client.get(CHANGE))
    assert shown["names_fa"] == "لیویا"
    assert shown["pronouns_en"] == "she, her"
    assert shown["questions_en"] == "What?\nWhere?"
    assert 'lang="fa" dir="rtl"' in text(client.get(CHANGE))


def test_saving_it_as_it_came_changes_nothing(client, profile):
    before = Owner.objects.values().get()
    assert edit(client, CHANGE).status_code == 302
    assert Owner.objects.values().get() == before


def test_every_language_has_its_own_input(client, profile):
    edit(client, CHANGE, tagline_pt="Água.", pronouns_fa="او، وی", questions_de="Was?\n\nWo?", names_fa="")
    saved = Owner.objects.get()
    assert saved.tagline == {"en": "Water.", "pt": "Água."}
    assert saved.pronouns == {"en": ["she", "her"], "fa": ["او", "وی"]}
    assert saved.questions == {"en": ["What?", "Where?"], "de": ["Was?", "Wo?"]}
    assert saved.names == {}


def test_a_domain_is_kept_as_a_host_and_nonsense_is_told(client, profile):
    edit(client, CHANGE, domains="https://example.com/path\nexample.org")
    assert Owner.objects.get().domains == ["example.com", "example.org"]
    assert "“nonsense” is no domain" in text(edit(client, CHANGE, domains="nonsense"))


@pytest.mark.parametrize("role", ["editor", "reviewer"])
def test_others_read_it_and_change_nothing(client, profile, role):
    client.logout()
    sign_in(client, role)
    assert "Livia" in text(client.get(CHANGE))
    assert client.post(CHANGE, {"name": "Mallory"}).status_code == 403
    assert client.get(ADD).status_code == 403
