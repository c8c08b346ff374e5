"""When a call returns, the site says what it says: no more and no less, in the languages that changed."""

import os
import subprocess
import sys
from io import StringIO

import pytest
from django.contrib.auth.models import Group, User
from django.core.management import call_command

from records.corpus import fingerprint
from records.indexing import rebuild, recut
from records.models import (
    IngestionStep,
    OutboxEvent,
    Passage,
    PassageEmbedding,
    PassagePlacement,
    PassageRelation,
    RecordVersion,
    SearchEntry,
)
from records.publishing import publish, revoke, withdraw
from tests.records.drafts import ask, day, draft, published, records_of

pytestmark = pytest.mark.django_db

NIGHT = "Night flow in Norrow fell by forty per cent."
BRIDGE = "The Skerrin bridge carries sixty strain gauges."


def topics():
    return list(OutboxEvent.objects.order_by("pk").values_list("topic", "version__language", "version__number"))


def versions(record):
    return list(record.versions.order_by("language", "number").values_list("language", "number", "retired_at"))


class TestPublish:
    def test_a_version_keeps_all_that_an_answer_can_cite(self):
        user = User.objects.create_user("livia")
        facts = {"start": day("2018-10-01"), "start_precision": "month", "current": True, "authority": 10}
        more = {"decided_by": "Ide Calloway", "valid_to": day("2030-01-01"), "fields": {"client": "Norrow"}}
        [version] = publish(draft("leaks", f"# Results\n\n{NIGHT}", **facts, **more), by=user)
        version.refresh_from_db()
        for name, value in (facts | more).items():
            assert getattr(version, name) == value
        assert (version.number, version.published_by, version.text) == (1, user, f"Results\n\n{NIGHT}")

    def test_publishing_an_unchanged_draft_changes_nothing(self):
        record = draft("leaks", NIGHT)
        assert len(publish(record)) == 1
        rows = [model.objects.count() for model in (RecordVersion, PassagePlacement, SearchEntry, OutboxEvent)]
        assert publish(record) == []
        assert [model.objects.count() for model in (RecordVersion, PassagePlacement, SearchEntry, OutboxEvent)] == rows

    def test_only_the_language_that_changed_gets_a_version(self):
        record = draft("leaks", texts={"en": NIGHT, "pt": "A vazão noturna caiu."})
        publish(record)
        draft("leaks", texts={"pt": "A vazão noturna caiu muito."})
        assert [version.language for version in publish(record)] == ["pt"]
        assert [(language, number, bool(retired)) for language, number, retired in versions(record)] == [
            ("en", 1, False),
            ("pt", 1, True),
            ("pt", 2, False),
        ]

    def test_changed_facts_give_every_language_a_version(self):
        record = draft("leaks", texts={"en": NIGHT, "pt": "A vazão noturna caiu."})
        publish(record)
        draft("leaks", texts={"en": NIGHT}, current=True)
        assert sorted(version.language for version in publish(record)) == ["en", "pt"]

    def test_a_language_words_fields_its_own_way(self):
        record = draft("leaks", texts={"en": NIGHT, "pt": "Texto."}, fields={"role": "Engineer", "place": "Norrow"})
        record.texts.filter(language="pt").update(fields={"role": "Engenheira"})
        fields = {version.language: version.fields for version in publish(record)}
        assert fields["pt"] == {"role": "Engenheira", "place": "Norrow"}
        assert fields["en"]["role"] == "Engineer"

    def test_a_deleted_translation_is_withdrawn(self):
        record = draft("leaks", texts={"en": NIGHT, "pt": "A vazão noturna caiu."})
        publish(record)
        record.texts.filter(language="pt").delete()
        assert publish(record) == []
        assert not record.versions.filter(language="pt", retired_at=None)
        assert topics()[-1] == ("withdrawn", "pt", 1)

    def test_new_text_answers_at_once_and_old_text_no_longer(self):
        published("leaks", NIGHT)
        assert ask("night flow in Norrow").best_words == 1
        published("leaks", BRIDGE)
        assert ask("night flow in Norrow").hits == ()
        assert ask("strain gauges of the Skerrin bridge").hits[0].text == BRIDGE

    def test_a_shortened_text_stops_answering_with_what_was_cut(self):
        published("leaks", f"# A\n\n{NIGHT}\n\n# B\n\n{BRIDGE}")
        published("leaks", f"# A\n\n{NIGHT}")
        assert ask("strain gauges Skerrin bridge").hits == ()

    def test_unchanged_passages_keep_id_and_vector(self):
        published("leaks", f"# A\n\n{NIGHT}")
        uid = Passage.objects.get().uid
        SearchEntry.objects.update(vector=[1.0, 0.0])
        published("leaks", f"# Renamed\n\n{BRIDGE}\n\n# Moved\n\n{NIGHT}")
        entries = {entry.placement.passage.text: entry for entry in SearchEntry.objects.all()}
        assert entries[NIGHT].placement.passage_id == uid
        assert list(entries[NIGHT].vector) == [1.0, 0.0]
        assert entries[BRIDGE].vector is None

    def test_the_work_left_is_a_row_and_a_message_after_the_commit(self, django_capture_on_commit_callbacks):
        with django_capture_on_commit_callbacks() as callbacks:
            [version] = publish(draft("leaks", NIGHT))
        assert len(callbacks) == 1
        states = dict(IngestionStep.objects.filter(version=version).values_list("step", "state"))
        assert states == {"passages": "done", "embeddings": "waiting"}
        assert topics() == [("published", "en", 1)]

    def test_a_dead_work_queue_does_not_stop_the_owner(self):
        hand_over = "import django; django.setup()\nfrom records.tasks import announce\nannounce([1])"
        environment = os.environ | {"REDIS_URL": "redis://127.0.0.1:1/0", "DJANGO_SETTINGS_MODULE": "config.settings"}
        done = subprocess.run(
            [sys.executable, "-c", hand_over], env=environment, capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, done.stderr
        assert "the work queue is out of reach" in done.stderr

    def test_a_record_without_a_body_answers_with_its_summary(self):
        record = draft("prize", "")
        record.texts.update(summary="The Kestrel Prize for open data.")
        publish(record)
        assert ask("Kestrel prize for open data").hits[0].text == "The Kestrel Prize for open data."


class TestRelations:
    def test_sections_carry_their_caveats_passage_by_passage(self):
        record = draft("leaks", f"# Results\n\n{NIGHT}\n\n# Caveats\n\n{BRIDGE}")
        record.texts.update(relations=[{"section": "Results", "needs": "Caveats", "kind": "caveat"}])
        publish(record)
        relation = PassageRelation.objects.get()
        assert (relation.passage.text, relation.needed.text, relation.kind) == (NIGHT, BRIDGE, "caveat")

    def test_they_follow_a_corrected_text(self):
        record = draft("leaks", f"# Results\n\n{NIGHT}\n\n# Caveats\n\n{BRIDGE}")
        relations = [{"section": "Results", "needs": "Caveats", "kind": "caveat"}]
        record.texts.update(relations=relations)
        publish(record)
        draft("leaks", f"# Results\n\n{NIGHT}\n\n# Caveats\n\nOne season only.")
        publish(record)
        assert [relation.needed.text for relation in PassageRelation.objects.all()] == ["One season only."]


class TestWithdraw:
    def test_it_answers_no_more_when_the_call_returns(self):
        version = published("leaks", NIGHT)
        assert [gone.pk for gone in withdraw(version.record)] == [version.pk]
        assert ask("night flow in Norrow").hits == ()
        assert topics()[-1] == ("withdrawn", "en", 1)

    def test_its_text_stays_for_old_citations(self):
        version = published("leaks", NIGHT)
        withdraw(version.record)
        placement = version.placements.get()
        version.refresh_from_db()
        assert version.text[placement.start : placement.end] == placement.passage.text == NIGHT

    def test_twice_is_once(self):
        version = published("leaks", NIGHT)
        withdraw(version.record)
        assert withdraw(version.record) == []
        assert len(topics()) == 2

    def test_it_can_be_published_again_under_a_new_number(self):
        version = published("leaks", NIGHT)
        withdraw(version.record)
        assert published("leaks", NIGHT).number == 2
        assert records_of(ask("night flow in Norrow")) == ["leaks"]


class TestRevoke:
    def test_everything_ever_published_is_emptied_and_the_ids_stay(self):
        published("leaks", NIGHT, fields={"client": "Norrow"}, decided_by="Ide Calloway")
        version = published("leaks", f"# Norrow\n\n{BRIDGE}")
        uids = set(Passage.objects.values_list("uid", flat=True))
        revoke(version.record)
        for gone in version.record.versions.all():
            assert (gone.title, gone.summary, gone.body, gone.text, gone.decided_by) == ("", "", "", "", "")
            assert (gone.fields, bool(gone.revoked_at), bool(gone.retired_at)) == ({}, True, True)
        assert set(Passage.objects.values_list("uid", "text")) == {(uid, "") for uid in uids}
        assert not Passage.objects.exclude(words=[]).exists()
        assert not PassagePlacement.objects.exclude(section_path=[]).exists()
        assert not SearchEntry.objects.exists()
        assert [topic for topic, *_ in topics()].count("revoked") == 2

    def test_its_vectors_are_forgotten_where_no_other_text_needs_them(self):
        version = published("leaks", NIGHT)
        key = SearchEntry.objects.get().content_hash
        PassageEmbedding.objects.create(embedder="e", content_hash=key, vector=[1.0])
        PassageEmbedding.objects.create(embedder="e", content_hash="another", vector=[1.0])
        revoke(version.record)
        assert [row.content_hash for row in PassageEmbedding.objects.all()] == ["another"]

    def test_the_same_text_published_later_has_its_old_id_and_its_words(self):
        version = published("leaks", NIGHT)
        uid = Passage.objects.get().uid
        revoke(version.record)
        published("leaks", NIGHT)
        hit = ask("night flow in Norrow").hits[0]
        assert (hit.passage, hit.text, hit.words) == (uid, NIGHT, 1.0)


class TestRebuild:
    def test_cutting_anew_keeps_text_ids_and_vectors(self):
        version = published("leaks", f"# A\n\n{NIGHT}\n\n# B\n\n{BRIDGE}")
        SearchEntry.objects.update(vector=[1.0, 0.0])
        before = set(version.placements.values_list("passage_id", "start", "end", "ordinal"))
        rebuild(version)
        assert set(version.placements.values_list("passage_id", "start", "end", "ordinal")) == before
        assert SearchEntry.objects.exclude(vector=None).count() == 2


class TestRecut:
    def test_what_would_be_cut_alike_stays_as_it_is(self):
        version = published("leaks", f"# A\n\n{NIGHT}\n\n{BRIDGE}")
        entries = set(SearchEntry.objects.values_list("pk", flat=True))
        assert not recut(version)
        assert set(SearchEntry.objects.values_list("pk", flat=True)) == entries

    def test_ingest_all_brings_what_is_live_to_another_way_of_cutting(self, monkeypatch, settings):
        settings.TRAVA = settings.TRAVA.model_copy(update={"EMBEDDER": "none"})
        version = published("leaks", f"{NIGHT}\n\n{BRIDGE}")
        monkeypatch.setattr("records.chunking.MOST_WORDS", 9)
        call_command("ingest", "--all", stdout=StringIO())
        assert [placement.passage.text for placement in version.placements.all()] == [NIGHT, BRIDGE]
        assert SearchEntry.objects.count() == 2


class TestFingerprint:
    def test_it_follows_what_is_live_and_nothing_else(self):
        empty = fingerprint()
        version = published("leaks", NIGHT)
        one = fingerprint()
        draft("leaks", BRIDGE)
        assert fingerprint() == one != empty
        publish(version.record)
        assert fingerprint() not in {one, empty}
        draft("leaks", NIGHT)
        publish(version.record)
        assert fingerprint() == one
        withdraw(version.record)
        assert fingerprint() == empty


def test_a_group_counts_by_name_in_the_checksum_and_by_identity_in_access():
    old = Group.objects.create(name="members")
    record = draft("leaks", NIGHT, access="restricted", group=old)
    [first] = publish(record)
    Group.objects.filter(pk=old.pk).update(name="former members")
    record.group = Group.objects.create(name="members")
    record.save()
    [second] = publish(record)
    assert first.checksum == second.checksum
    assert (first.group_id, second.group_id) == (old.pk, record.group_id)
