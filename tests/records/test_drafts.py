"""Which text is the original, and which translation is missing or older than it."""

import pytest
from django.utils import timezone

from records.drafts import (
    CODES,
    DraftState,
    original_language,
    states,
    with_missing_translation,
    with_older_translation,
)
from records.importing.entries import Entry
from records.importing.taking_in import take_in
from records.models import Kind, Record, RecordText
from tests.records.drafts import draft

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("named", "written", "original"),
    [
        ("", ["pt", "en"], "en"),
        ("pt", ["pt", "en"], "pt"),
        ("fa", ["pt", "en"], "en"),
        ("", ["ru", "de"], "de"),
        ("", [], "en"),
        ("fa", [], "fa"),
    ],
)
def test_the_original_is_what_the_record_names_else_english_else_the_first(named, written, original):
    record = Record(slug="leaks", original=named)
    assert original_language(record, [RecordText(language=code) for code in written]) == original


@pytest.mark.parametrize("named", ["", "pt", "fa"])
def test_the_database_finds_the_same_records_as_the_page(named):
    record = draft("leaks", texts={"en": "It fell.", "pt": "Caiu.", "fa": "کم شد"}, original=named)
    for changed in ("en", "pt", "fa"):
        record.texts.filter(language=changed).update(updated_at=timezone.now())
        older = DraftState.OLDER in states(record).values()
        assert with_older_translation(Record.objects.all()).exists() is older, changed


def test_what_is_missing_is_told_by_language():
    draft("leaks", texts={"en": "It fell.", "fa": "کم شد"})
    found = {code: with_missing_translation(Record.objects.all(), [code]).exists() for code in CODES}
    assert [code for code, missing in found.items() if not missing] == ["en", "fa"]


def test_a_translation_that_came_with_its_original_is_not_older_whichever_the_importer_read_first():
    entries = [
        Entry(f"{code}.md", "leaks", "leaks", Kind.CASE_STUDY, code, f"Title in {code}", body=f"Text in {code}.")
        for code in ("ar", "en", "pt")
    ]
    take_in("/site", entries, lambda outcome: None)
    found = states(Record.objects.get())
    assert {code: found[code] for code in ("ar", "en", "pt")} == {
        "ar": DraftState.TRANSLATED,
        "en": DraftState.ORIGINAL,
        "pt": DraftState.TRANSLATED,
    }
