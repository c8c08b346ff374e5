"""Runs of `import_content` over a folder that changes between them."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from records.models import ImportedText, ImportSource, Record, RecordText, RecordVersion
from records.publishing import publish, withdraw
from tests.records.drafts import ask, published, records_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def site(tmp_path):
    return Site(tmp_path)


class Site:
    """A folder of Markdown, and what the last import of it said."""

    def __init__(self, folder):
        self.folder = folder
        self.said = ""

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def remove(self, name):
        (self.folder / name).unlink()

    def run(self, *options):
        out = StringIO()
        try:
            call_command("import_content", str(self.folder), *options, stdout=out)
        finally:
            self.said = out.getvalue()
        return self.said


def live():
    versions = RecordVersion.objects.filter(retired_at=None)
    return {(version.record.slug, version.language): version.body for version in versions}


def test_files_answer_after_one_run_and_a_second_changes_nothing(site):
    site.write("leaks.md", "# Leaks\n\nFifty-eight leaks were found.")
    site.write("leaks.pt.md", "# Fugas\n\nForam encontradas 58 fugas.")
    assert "2 new" in site.run()
    assert live().keys() == {("leaks", "en"), ("leaks", "pt")}
    assert records_of(ask("How many leaks were found?")) == ["leaks"]
    before = list(RecordVersion.objects.values())
    assert site.run() == "2 unchanged\n"
    assert list(RecordVersion.objects.values()) == before


def test_a_changed_file_is_a_new_version_of_its_language_alone(site):
    site.write("leaks.md", "Fifty-eight leaks.")
    site.write("leaks.pt.md", "Fugas.")
    site.run()
    site.write("leaks.md", "Sixty leaks.")
    assert "1 changed, 1 unchanged" in site.run()
    numbers = {version.language: version.number for version in RecordVersion.objects.filter(retired_at=None)}
    assert numbers == {"en": 2, "pt": 1}


def test_a_removed_file_withdraws_its_record_and_a_returned_one_publishes_it(site):
    site.write("leaks.md", "Fifty-eight leaks were found.")
    site.run()
    site.remove("leaks.md")
    assert "withdrawn: leaks.md" in site.run()
    assert live() == {}
    assert not ask("How many leaks were found?").hits
    assert site.run() == "nothing there\n"
    site.write("leaks.md", "Fifty-eight leaks were found.")
    assert "1 new" in site.run()
    assert live().keys() == {("leaks", "en")}


def test_a_removed_translation_withdraws_its_language_alone(site):
    site.write("leaks.md", "Leaks.")
    site.write("leaks.pt.md", "Fugas.")
    site.run()
    site.remove("leaks.pt.md")
    site.run()
    assert live().keys() == {("leaks", "en")}


def test_a_file_that_became_a_draft_is_withdrawn(site):
    site.write("leaks.md", "Leaks.")
    site.run()
    site.write("leaks.md", "---\ndraft: true\n---\nLeaks.")
    site.run()
    assert live() == {}


def test_a_file_that_became_unreadable_loses_nothing(site):
    site.write("leaks.md", "Leaks.")
    site.run()
    site.write("leaks.md", "---\ntitle: [\n---\nLeaks.")
    with pytest.raises(CommandError, match="1 could not be taken in"):
        site.run()
    assert "bad: leaks.md" in site.said
    assert live() == {("leaks", "en"): "Leaks."}


def test_a_bad_file_keeps_no_other_from_being_taken(site):
    site.write("bad.md", "---\ndate: soon\n---\nx")
    site.write("good.md", "Good.")
    with pytest.raises(CommandError):
        site.run()
    assert live().keys() == {("good", "en")}


def test_a_moved_file_keeps_its_record(site):
    site.write("blog/leaks.md", "Leaks.")
    site.run()
    record = Record.objects.get()
    site.remove("blog/leaks.md")
    site.write("posts/leaks.md", "Leaks.")
    site.run()
    assert Record.objects.get() == record
    assert live().keys() == {("leaks", "en")}


@pytest.mark.parametrize("language", ["en", "pt"])
def test_what_another_import_made_is_refused_and_that_one_named(site, tmp_path_factory, language):
    other = Site(tmp_path_factory.mktemp("other"))
    other.write("reports/leaks.md", "Theirs.")
    other.run()
    site.write("leaks.md", f"---\nlang: {language}\n---\nOurs.")
    site.write("valves.md", "Valves.")
    for options in (["--dry-run"], []):
        with pytest.raises(CommandError, match="1 could not be taken in"):
            site.run(*options)
        assert f"bad: leaks.md (the import of {other.folder} made the record 'leaks' of reports/leaks.md" in site.said
    assert live() == {("leaks", "en"): "Theirs.", ("valves", "en"): "Valves."}
    site.write("leaks.md", "---\nslug: our-leaks\n---\nOurs.")
    assert "new: leaks.md" in site.run()
    assert (other.run(), site.run()) == ("1 unchanged\n", "2 unchanged\n")


def test_a_folder_at_another_place_is_the_same_import_if_that_is_said(site, tmp_path):
    first, second = Site(tmp_path / "first"), Site(tmp_path / "second")
    first.write("leaks.md", "Fifty-eight leaks.")
    first.run()
    first.folder.rename(second.folder)
    with pytest.raises(CommandError):
        second.run()
    assert f"--moved-from {first.folder}" in second.said
    assert second.run("--moved-from", str(first.folder)) == "1 unchanged\n"
    second.remove("leaks.md")
    second.write("other.md", "Others.")
    assert "withdrawn: leaks.md" in second.run()
    assert not ImportSource.objects.filter(location=str(first.folder)).exists()


def test_what_did_not_move_is_not_taken_for_another_import(site, tmp_path_factory):
    site.write("leaks.md", "Fifty-eight leaks.")
    site.write("gauges.md", "A gauge.")
    site.run()
    other = Site(tmp_path_factory.mktemp("other"))
    other.write("dams.md", "A dam.")
    with pytest.raises(CommandError, match=f"nothing was imported from /nowhere; imports so far: {site.folder}$"):
        other.run("--moved-from", "/nowhere")
    other.run()
    with pytest.raises(CommandError, match="has records of its own"):
        other.run("--moved-from", str(site.folder))
    assert live().keys() == {("leaks", "en"), ("gauges", "en"), ("dams", "en")}


def test_a_dry_run_moves_nothing(site, tmp_path_factory):
    site.write("leaks.md", "Fifty-eight leaks.")
    site.run()
    other = Site(tmp_path_factory.mktemp("other"))
    other.write("leaks.md", "Fifty-eight leaks.")
    assert "1 unchanged; nothing was done" in other.run("--moved-from", str(site.folder), "--dry-run")
    assert ImportSource.objects.filter(location=str(site.folder)).exists()


def test_two_records_of_one_import_with_one_slug_are_refused(site):
    site.write("first.md", "---\nslug: leaks\ntranslationKey: a\n---\nThe first.")
    site.write("second.md", "---\nslug: leaks\ntranslationKey: b\n---\nThe second.")
    site.write("second.pt.md", "---\nslug: leaks\ntranslationKey: b\n---\nO segundo.")
    with pytest.raises(CommandError, match="2 could not be taken in"):
        site.run()
    assert "bad: second.md (first.md has the same short name 'leaks'" in site.said
    assert live() == {("leaks", "en"): "The first."}


def test_a_record_made_by_hand_is_not_touched(site):
    published("leaks", "By hand.")
    site.write("leaks.md", "From a file.")
    assert "kept: leaks.md (there is a record 'leaks' that was made here by hand)" in site.run()
    assert live() == {("leaks", "en"): "By hand."}


def test_a_text_edited_since_is_not_overwritten(site):
    site.write("leaks.md", "From the file.")
    site.run()
    RecordText.objects.update(body="Edited here.")
    publish(Record.objects.get())
    site.write("leaks.md", "From the file, newer.")
    assert "it was edited here, and in the source too" in site.run()
    assert live() == {("leaks", "en"): "Edited here."}
    site.remove("leaks.md")
    site.run()
    assert live() == {("leaks", "en"): "Edited here."}


def test_facts_edited_since_stay(site):
    site.write("leaks.md", "---\ndate: 2018\n---\nLeaks.")
    site.run()
    Record.objects.update(decided_by="The board")
    site.write("leaks.md", "---\ndate: 2019\n---\nMore leaks.")
    assert "dates and fields stay as edited here" in site.run()
    version = RecordVersion.objects.get(retired_at=None)
    assert (version.start.year, version.decided_by, version.body) == (2018, "The board", "More leaks.")


def test_what_the_owner_withdrew_stays_withdrawn(site):
    site.write("leaks.md", "Leaks.")
    site.run()
    withdraw(Record.objects.get())
    site.write("leaks.md", "More leaks.")
    assert "was withdrawn here and stays so" in site.run()
    assert live() == {}
    assert RecordText.objects.get().body == "More leaks."


def test_a_dry_run_says_the_same_and_does_nothing(site):
    site.write("leaks.md", "Leaks.")
    assert "new: leaks.md" in site.run("--dry-run")
    assert "nothing was done" in site.said
    assert not Record.objects.exists()
    assert not ImportedText.objects.exists()


def test_a_group_that_is_not_there_is_bad_and_nothing_is_published(site):
    site.write("leaks.md", "---\naccess: restricted\ngroup: Clients\n---\nLeaks.")
    with pytest.raises(CommandError):
        site.run()
    assert "there is no group 'Clients'" in site.said
    assert live() == {}


def test_a_value_that_the_database_refuses_is_bad_and_the_rest_is_taken(site):
    site.write("bad.md", f"---\ndecided_by: {'x' * 300}\n---\nBad.")
    site.write("good.md", "Good.")
    with pytest.raises(CommandError):
        site.run()
    assert live().keys() == {("good", "en")}


def test_two_files_for_one_text_are_not_both_taken(site):
    site.write("leaks.md", "One.")
    site.write("leaks.en.md", "Two.")
    with pytest.raises(CommandError):
        site.run()
    assert "is the same text in the same language" in site.said
    assert len(live()) == 1


@pytest.mark.parametrize("path", ["nowhere", "picture.png", "broken.json"])
def test_what_cannot_be_imported_says_what_can(tmp_path, path):
    (tmp_path / "picture.png").write_bytes(b"x")
    (tmp_path / "broken.json").write_text("{")
    with pytest.raises(CommandError, match=r"there is no|Markdown|JSON"):
        call_command("import_content", str(tmp_path / path))


def test_an_item_that_cannot_be_read_any_more_withdraws_nothing_of_its_section(tmp_path):
    file = tmp_path / "resume.json"
    jobs = [{"name": "Mill", "startDate": "2010"}, {"name": "Dam", "startDate": "2012"}]
    file.write_text(json.dumps({"work": jobs, "awards": [{"title": "Ear"}]}))
    call_command("import_content", str(file), stdout=StringIO())
    file.write_text(json.dumps({"work": [{**jobs[0], "startDate": "2010-13"}]}))
    with pytest.raises(CommandError, match="1 could not be taken in"):
        call_command("import_content", str(file), stdout=StringIO())
    assert {slug for slug, _ in live()} == {"mill-2010", "dam-2012"}
