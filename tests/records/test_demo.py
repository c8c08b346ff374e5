"""The demo site loads whole, with its history and its caveats, and a second load changes nothing."""

from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.core.management import call_command
from django.test import TestCase

from records import demo
from records.corpus import fingerprint
from records.models import (
    Access,
    OutboxEvent,
    Owner,
    Passage,
    PassageRelation,
    Record,
    RecordVersion,
    SearchEntry,
)
from tests.records.drafts import ask

HISTORY = (Record, RecordVersion, Passage, PassageRelation, SearchEntry, OutboxEvent)


def state():
    return [model.objects.count() for model in HISTORY], fingerprint(), set(SearchEntry.objects.values_list("pk"))


class TestDemo(TestCase):
    """Loaded once for all these tests."""

    @classmethod
    def setUpTestData(cls):
        cls.made = len(demo.load())

    def test_a_second_load_changes_nothing(self):
        before = state()
        call_command("load_demo", stdout=(said := StringIO()))
        assert state() == before
        assert "Nothing has changed" in said.getvalue()

    def test_every_file_is_a_version(self):
        assert self.made == len(list(demo.FOLDER.glob("*/*/*.md"))) > 20

    def test_an_earlier_text_is_there_and_superseded(self):
        bridge = RecordVersion.objects.filter(record__slug="how-often-to-sample-a-bridge", language="en")
        old, new = bridge.order_by("number")
        assert old.retired_at
        assert not new.retired_at
        assert "20 readings" in old.text
        assert old.pk not in {hit.version for hit in ask("readings a second for a bridge", k=20).hits}

    def test_caveats_travel_with_what_they_limit(self):
        relations = PassageRelation.objects.filter(passage__record__slug="norrow-night-flow", passage__language="en")
        ends = [(relation.passage, relation.needed) for relation in relations]
        headings = {tuple(end.placements.get().section_path[-1] for end in pair) for pair in ends}
        assert headings == {("Results", "Caveats")}

    def test_dates_access_and_validity_are_as_written(self):
        facts = {record.slug: record for record in Record.objects.all()}
        telemetry = facts["dunmarrow-telemetry"]
        assert (str(telemetry.start), telemetry.start_precision) == ("2025-02-01", "month")
        assert facts["orphaned-systems"].start is None
        assert facts["corvane-desalination"].access == Access.PRIVATE
        assert facts["incident-review-stale-setpoint"].group.name == demo.MEMBERS
        assert str(facts["settings-for-3g-battery-modems"].valid_to) == "2024-12-31"

    def test_the_owner_is_known_by_name(self):
        owner = Owner.objects.get()
        assert owner.name_in("fa") == "لیویا آرامش"
        assert owner.questions["en"]

    def test_private_and_restricted_records_are_not_found_by_the_public(self):
        closed = {"corvane-desalination", "incident-review-stale-setpoint"}
        for question in ("desalination conductivity sensors Corvane", "stale setpoint incident review"):
            assert closed.isdisjoint(hit.record for hit in ask(question, k=20).hits)

    def test_a_file_without_its_head_is_named(self):
        with TemporaryDirectory() as name:
            folder = Path(name)
            for copied in ("owner.toml", "questions.toml", "relations.toml"):
                (folder / copied).write_bytes((demo.FOLDER / copied).read_bytes())
            (folder / "en" / "cv").mkdir(parents=True)
            (folder / "en" / "cv" / "broken.md").write_text("No head.")
            with pytest.raises(ValueError, match=r"broken\.md"):
                demo.load(folder)
