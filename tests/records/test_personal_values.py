"""What is published is looked through for personal data; the owner is warned and decides with one click."""

import pytest
from django.contrib.auth.models import Permission, User
from django.core.management import call_command
from django.urls import reverse

from records.models import Owner, PersonalValue, Record
from records.personal_values import undecided
from records.publishing import publish, revoke, withdraw
from tests.records.drafts import draft, published

pytestmark = pytest.mark.django_db

TEXT = (
    "# Results\n\nNight flow fell.\n\n# Contact\n\nCall +44 20 7946 0958 or write to gauge@holm.example about Norrow."
)
LIST = reverse("admin:records_casestudy_changelist")


@pytest.fixture
def owner(client):
    Owner.objects.create(pk=1, name="Livia Aramesh", allowed=["desk@holm.example"])
    user = User.objects.create_superuser("livia", password="a long pass phrase")
    client.force_login(user)
    return user


def values():
    return {(found.kind, found.value) for found in PersonalValue.objects.all()}


def page_of(client, record):
    return client.get(reverse("admin:records_casestudy_change", args=[record.pk])).content.decode()


def decide(client, value, decision):
    found = PersonalValue.objects.get(value=value)
    return client.post(reverse("admin:records_personalvalue_decide", args=[found.pk]), {"decision": decision})


class TestPublishing:
    def test_what_is_found_is_kept_with_its_kind_and_place(self):
        record = published(
            "gauge", TEXT, fields={"client": "Mill, 529.982.247-25"}, decided_by="ada@holm.example"
        ).record
        kept = {(found.kind, found.value, *found.places) for found in record.personal_values.all()}
        assert kept == {
            ("phone", "+44 20 7946 0958", "Contact"),
            ("email", "gauge@holm.example", "Contact"),
            ("national_id", "529.982.247-25", "client"),
            ("email", "ada@holm.example", "decided by"),
        }

    def test_one_value_in_two_places_is_one_row(self):
        published("gauge", "# A\n\nWrite to a@holm.example.\n\n# B\n\nOr to a@holm.example. See a@holm.example.")
        assert PersonalValue.objects.get().places == ["A", "B"]

    def test_a_new_version_forgets_what_it_no_longer_holds_and_keeps_what_was_dismissed(self):
        published("gauge", TEXT)
        PersonalValue.objects.filter(kind="email").update(dismissed_at="2026-01-01T00:00Z")
        published("gauge", "Write to gauge@holm.example or to new@holm.example.")
        assert values() == {("email", "gauge@holm.example"), ("email", "new@holm.example")}
        assert [found.value for found in undecided(Record.objects.get())] == ["new@holm.example"]

    def test_each_language_has_its_own(self):
        published("gauge", texts={"en": "Write to a@holm.example.", "pt": "O CPF 529.982.247-25 consta."})
        publish(draft("gauge", texts={"en": "Write to nobody."}))
        assert values() == {("national_id", "529.982.247-25")}

    @pytest.mark.parametrize("take_back", [withdraw, revoke])
    def test_what_is_taken_back_leaves_nothing(self, take_back):
        take_back(published("gauge", TEXT).record)
        assert values() == set()

    def test_ordinary_text_holds_none(self):
        published("gauge", "In 2019–2021 it read 1,200,300 pulses; version 2.10.1 came on 2021-03-05.")
        assert values() == set()

    def test_ingest_all_looks_through_what_was_published_before(self, capsys):
        published("gauge", TEXT)
        PersonalValue.objects.all().delete()
        call_command("ingest", "--all")
        assert len(values()) == 2


class TestTheDesk:
    def test_record_page_and_list_warn_until_each_value_is_decided_on(self, client, owner):
        record = published("gauge", TEXT).record
        assert "2 to decide on" in client.get(LIST).content.decode()
        page = page_of(client, record)
        assert "+44 20 7946 0958" in page
        assert "gauge@holm.example" in page
        assert "Contact" in page
        assert decide(client, "gauge@holm.example", "allow").status_code == 302
        assert Owner.objects.get().allowed == ["desk@holm.example", "gauge@holm.example"]
        assert "1 to decide on" in client.get(LIST).content.decode()
        assert decide(client, "+44 20 7946 0958", "dismiss").status_code == 302
        assert Owner.objects.get().allowed == ["desk@holm.example", "gauge@holm.example"]
        assert PersonalValue.objects.get(kind="phone").dismissed_by == owner
        assert "to decide on" not in client.get(LIST).content.decode()
        assert "Answers may show it" not in page_of(client, record)

    def test_publishing_in_the_admin_says_so_at_once(self, client, owner):
        record = draft("gauge", TEXT)
        action = {"action": "publish_selected", "_selected_action": [record.pk], "confirmed": "yes"}
        assert "looks like personal data" in client.post(LIST, action, follow=True).content.decode()

    def test_what_is_listed_already_is_no_warning(self, client, owner):
        published("gauge", "Write to desk@holm.example.")
        assert "to decide on" not in client.get(LIST).content.decode()
        Owner.objects.update(allowed=[])
        assert "1 to decide on" in client.get(LIST).content.decode()

    def test_many_are_decided_on_in_the_list_of_values(self, client, owner):
        published("gauge", TEXT)
        chosen = {
            "action": "allow_selected",
            "_selected_action": list(PersonalValue.objects.values_list("pk", flat=True)),
        }
        client.post(reverse("admin:records_personalvalue_changelist"), chosen)
        assert len(Owner.objects.get().allowed) == 3

    def test_only_who_may_change_the_owner_decides_and_only_by_a_form(self, client, owner):
        found = published("gauge", TEXT).record.personal_values.first()
        address = reverse("admin:records_personalvalue_decide", args=[found.pk])
        assert client.get(address).status_code == 400
        assert client.post(address, {"decision": "sell"}).status_code == 400
        helper = User.objects.create_user("helper", password="another pass phrase", is_staff=True)
        helper.user_permissions.set(Permission.objects.filter(codename__endswith="_casestudy"))
        client.force_login(helper)
        assert client.post(address, {"decision": "allow"}).status_code == 403
        client.logout()
        assert client.post(address, {"decision": "allow"}).status_code == 302
        assert Owner.objects.get().allowed == ["desk@holm.example"]

    def test_the_allowed_values_are_typed_one_a_line(self, client, owner):
        page = reverse("admin:records_owner_change", args=[1])
        assert "desk@holm.example</textarea>" in client.get(page).content.decode()
        texts = dict.fromkeys(("names", "pronouns", "tagline", "contact", "questions"), "{}")
        form = {
            "name": "Livia",
            "aliases": "Liv\n",
            "domains": "",
            "allowed": " a@b.org\r\n\r\n+1 202 555 0123\na@b.org",
            **texts,
        }
        assert client.post(page, form).status_code == 302
        saved = Owner.objects.get()
        assert (saved.aliases, saved.domains, saved.allowed) == (["Liv"], [], ["a@b.org", "+1 202 555 0123"])

    def test_a_domain_is_kept_as_its_host_whatever_was_pasted(self, client, owner):
        page = reverse("admin:records_owner_change", args=[1])
        form = {"name": "Livia", "aliases": "", "allowed": ""}
        form |= dict.fromkeys(("names", "pronouns", "tagline", "contact", "questions"), "{}")
        assert client.post(page, {**form, "domains": "https://Holm.example/en/\nlivia.example"}).status_code == 302
        assert Owner.objects.get().domains == ["holm.example", "livia.example"]
        for wrong in ("holm", "http://[", "//"):
            assert "is no domain" in client.post(page, {**form, "domains": wrong}).content.decode()
