"""The owner's desk for records: each kind has its own, drafts are saved there, lists say what waits."""

import pytest
from django.db import connections
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from records.admin.addresses import page
from records.models import Access, CVEntry, IngestionStep, Kind, Owner, Record, RecordText
from tests.records.desk import ADD, LIST, act, edit, fields, sign_in, text
from tests.records.drafts import draft, published

pytestmark = pytest.mark.django_db

TEXT = "Night flow in Norrow fell by forty per cent."


@pytest.fixture(autouse=True)
def owner(client):
    return sign_in(client, "owner")


def rows_of(client, **query):
    return text(client.get(LIST, query))


def test_each_kind_is_edited_on_its_own_and_keeps_its_kind(client):
    published("leaks", TEXT)
    assert "leaks" not in text(client.get(reverse("admin:records_cventry_changelist")))
    add = reverse("admin:records_cventry_add")
    response = edit(client, add, slug="prize", texts__0__title="Prize", texts__0__body=TEXT, field_type="award")
    assert response.status_code == 302
    record = Record.objects.get(slug="prize")
    assert (record.kind, record.texts.get().body, record.fields) == (Kind.CV, TEXT, {"type": "award"})
    assert CVEntry.objects.get().pk == record.pk


def test_the_text_that_a_record_begins_with_is_its_original(client):
    edit(client, ADD, slug="vazao", texts__0__language="pt", texts__0__title="Vazão noturna", texts__0__body="Caiu.")
    record = Record.objects.get(slug="vazao")
    assert record.original == "pt"
    edit(client, page(record, "change") + "?language=en", texts__1__title="Night flow", texts__1__body="It fell.")
    assert {text.language: text.title for text in record.texts.all()} == {"pt": "Vazão noturna", "en": "Night flow"}
    assert [name for name in fields(client.get(page(record, "change"))) if name.endswith("-language")][:2]
    assert fields(client.get(page(record, "change")))["texts-0-language"] == "pt"


def test_an_unchanged_draft_keeps_the_day_of_its_last_change(client):
    record = draft("leaks", TEXT)
    before = Record.objects.get().updated_at, RecordText.objects.get().updated_at
    assert edit(client, page(record, "change")).status_code == 302
    assert (Record.objects.get().updated_at, RecordText.objects.get().updated_at) == before


@pytest.mark.parametrize("kind", list(Kind))
def test_saving_a_page_as_it_came_changes_nothing(client, kind):
    facts = {"fields": {"organisation": "Norrow", "topics": ["night flow", "leaks"], "unknown": 3, "type": "thesis"}}
    record = draft("leaks", kind=kind, texts={"en": TEXT, "fa": "جریان شبانه"}, current=True, **facts)
    relations = [{"section": "Results", "needs": "Caveats", "kind": "caveat"}]
    record.texts.update(fields={"organisation": "نورو", "note": "x"}, relations=relations)
    before = list(Record.objects.values()), list(RecordText.objects.order_by("pk").values())
    assert edit(client, page(record, "change") + "?language=fa").status_code == 302
    assert (list(Record.objects.values()), list(RecordText.objects.order_by("pk").values())) == before


def test_a_published_record_is_withdrawn_and_never_deleted(client):
    record = published("leaks", TEXT).record
    assert client.post(page(record, "delete"), {"post": "yes"}).status_code == 403
    act(client, "delete_selected", record, post="yes")
    assert Record.objects.filter(pk=record.pk).exists()


def test_the_slug_of_a_published_record_stays(client):
    record = published("leaks", TEXT).record
    assert "slug" not in fields(client.get(page(record, "change")))


class TestList:
    def test_it_says_what_is_published_and_how_far_search_is(self, client):
        published("leaks", TEXT)
        shown = rows_of(client)
        assert "en v1" in shown
        assert "waiting: en" in shown

    def test_it_costs_the_same_however_many_records_it_shows(self, client):
        def cost():
            with CaptureQueriesContext(connections["default"]) as queries:
                rows_of(client)
            return len(queries)

        Owner.objects.create(pk=1, name="Livia")
        published("leaks-0", f"{TEXT} Write to desk@example.org.")
        rows_of(client)
        few = cost()
        for number in range(1, 6):
            published(f"leaks-{number}", texts={"en": f"{TEXT} Write to desk@example.org.", "de": TEXT})
        assert cost() == few

    def test_it_finds_by_slug_title_and_text_in_every_language(self, client):
        draft("leaks", texts={"en": TEXT, "fa": "جریان شبانه در نورو"})
        draft("bridge", "Strain gauges.")
        for words in ("leak", "forty", "شبانه", "leaks in fa"):
            shown = rows_of(client, q=words)
            assert ">leaks<" in shown, words
            assert ">bridge<" not in shown

    def test_it_filters_by_what_is_missing_or_older_than_its_original(self, client):
        draft("whole", texts={"en": TEXT, "fa": TEXT})
        draft("partly", texts={"en": TEXT})
        draft("stale", texts={"en": TEXT, "fa": TEXT})
        RecordText.objects.filter(record__slug="stale", language="en").update(updated_at=timezone.now())
        assert ">stale<" in rows_of(client, translation="older")
        assert ">whole<" not in rows_of(client, translation="older")
        assert ">partly<" in rows_of(client, translation="fa")
        assert ">whole<" not in rows_of(client, translation="fa")
        assert ">whole<" in rows_of(client, translation="missing")  # in the eight other languages

    def test_a_translation_of_a_record_that_names_its_original_is_told_by_that(self, client):
        record = draft("stale", texts={"pt": TEXT, "en": TEXT}, original="pt")
        RecordText.objects.filter(language="pt").update(updated_at=timezone.now())
        assert ">stale<" in rows_of(client, translation="older")
        assert "older than the original" in text(client.get(page(record, "change")))

    def test_it_filters_by_publication(self, client):
        published("live", TEXT)
        draft("never", TEXT)
        changed = published("changed", TEXT).record
        changed.texts.get().save()
        found = {value: rows_of(client, published=value) for value in ("live", "changed", "never", "withdrawn")}
        listed = {
            value: {slug for slug in ("live", "never", "changed") if f">{slug}<" in shown}
            for value, shown in found.items()
        }
        assert listed == {"live": {"live", "changed"}, "changed": {"changed"}, "never": {"never"}, "withdrawn": set()}

    @pytest.mark.parametrize("state", ["failed", "waiting", "ready"])
    def test_it_filters_by_ingestion(self, client, state):
        names = {name: f"{name}-record" for name in ("failed", "waiting", "ready")}
        for name, slug in names.items():
            published(slug, TEXT).steps.update(state="done" if name == "ready" else name)
        shown = rows_of(client, ingestion=state)
        assert {name for name, slug in names.items() if f">{slug}<" in shown} == {state}


class TestBulk:
    def test_access_is_set_for_all_that_were_chosen_and_at_once_where_asked(self, client):
        live, never = published("live", TEXT).record, draft("never", TEXT)
        assert 'name="confirmed"' in text(act(client, "access_selected", live, never))
        assert live.versions.get().access == Access.PUBLIC
        act(client, "access_selected", live, never, confirmed="yes", access="private", at_once="on")
        assert set(Record.objects.values_list("access", flat=True)) == {"private"}
        assert live.versions.get(retired_at=None).access == Access.PRIVATE
        assert not never.versions.exists()

    def test_restricting_wants_a_group(self, client):
        record = draft("leaks", TEXT)
        act(client, "access_selected", record, confirmed="yes", access="restricted")
        assert Record.objects.get().access == Access.PUBLIC

    def test_what_failed_is_taken_in_again(self, client):
        version = published("leaks", TEXT)
        version.steps.filter(step="embeddings").update(state="failed", attempts=5, error="Broken: pipe")
        assert "Broken: pipe" in text(client.get(page(version.record, "change")))
        client.post(page(version.record, "ingest"), {"language": "en"})
        step = IngestionStep.objects.get(step="embeddings")
        assert (step.state, step.attempts, step.error) == ("waiting", 0, "")
        version.steps.filter(step="embeddings").update(state="failed")
        act(client, "ingest_selected", version.record)
        assert IngestionStep.objects.get(step="embeddings").state == "waiting"
