"""Which text is the original, which translation is missing or older than it, and which is so on the site."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from records.drafts import (
    CODES,
    DraftState,
    original_language,
    outdated,
    states,
    with_missing_translation,
    with_older_translation,
)
from records.importing.entries import Entry
from records.importing.taking_in import take_in
from records.models import Kind, Record, RecordText, RecordVersion
from records.publishing import publish
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


class TestOutdated:
    """What is live, and says what its original said before it was corrected."""

    OLD = {"en": "12 hours.", "pt": "12 horas."}

    def write(self, language, body):
        text = RecordText.objects.get(language=language)
        text.body = body
        text.save()
        return text.record

    def languages(self):
        return [version.language for version in outdated()]

    def test_it_is_so_from_the_publication_of_the_correction_until_its_own(self):
        publish(draft("pumps", texts=self.OLD))
        record = self.write("en", "14 hours.")
        assert self.languages() == []
        publish(record)
        assert self.languages() == ["pt"]
        self.write("pt", "14 horas.")
        assert self.languages() == ["pt"]
        publish(record)
        assert self.languages() == []

    def test_what_was_found_right_stays_so_while_the_next_correction_is_being_written(self):
        publish(draft("pumps", texts=self.OLD))
        publish(self.write("en", "Twelve hours."))
        RecordText.objects.get(language="pt").save()
        assert self.languages() == []
        self.write("en", "14 hours.")
        assert self.languages() == []

    def test_what_was_found_right_before_the_correction_was_published_is_none(self):
        publish(draft("pumps", texts=self.OLD))
        record = self.write("en", "Twelve hours.")
        RecordText.objects.get(language="pt").save()
        publish(record)
        assert self.languages() == []

    def test_a_translation_that_was_there_before_its_original_is_none(self):
        publish(draft("pumps", texts={"pt": "12 horas."}))
        publish(draft("pumps", texts={"en": "12 hours."}))
        assert self.languages() == []

    def test_where_neither_english_nor_what_is_named_is_live_the_first_is_the_original(self):
        publish(draft("pumps", texts={"de": "12 Stunden.", "fr": "12 heures."}, original="pt"))
        publish(self.write("de", "14 Stunden."))
        assert self.languages() == ["fr"]


@dataclass
class Text:
    """What one language says in the draft and on the site, and since when."""

    body: str = ""
    written: int = 0
    live: str | None = None
    published: int = 0
    number: int = 0


WRITTEN = ("de", "en", "pt")
DEEDS = st.one_of(
    st.tuples(st.sampled_from(["write", "confirm", "publish"]), st.sampled_from(WRITTEN)),
    st.tuples(st.sampled_from(["write", "delete"]), st.sampled_from(WRITTEN)),
    st.tuples(st.just("name"), st.sampled_from(["", *WRITTEN])),
)


class Told:
    """A record's history told in plain words, as the rule reads it."""

    def __init__(self):
        self.named = ""
        self.texts = {}
        self.live = {}

    def outdated(self):
        live = {code: text for code, text in self.live.items() if text.live is not None}
        if not live:
            return set()
        original = next(code for code in (self.named, "en", *sorted(live)) if code in live)
        return {code for code in live if code != original and self.is_older(code, original)}

    def is_older(self, code, original):
        corrected, mine = self.live[original], self.live[code]
        if corrected.number < 2 or corrected.published <= mine.published:
            return False
        since = corrected.published
        if original in self.texts:
            since = min(since, self.texts[original].written)
        draft = self.texts.get(code)
        return not (draft and draft.body == mine.live and draft.written >= since)


class TestHistories(TestCase):
    @settings(max_examples=60)
    @given(st.lists(DEEDS, min_size=3, max_size=8))
    def test_every_history_is_read_alike(self, deeds):
        told = Told()
        record = Record.objects.create(slug="pumps", kind=Kind.CASE_STUDY)
        begun = [*(("write", language) for language in WRITTEN), ("publish", "")]
        for moment, deed in enumerate([*begun, *deeds], 1):
            self.do(record, told, moment, *deed)
            assert {version.language for version in outdated().filter(record=record)} == told.outdated(), deed
            older = DraftState.OLDER in states(record).values()
            assert with_older_translation(Record.objects.filter(pk=record.pk)).exists() is older

    def do(self, record, told, moment, deed, language):
        now = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=moment)
        if deed == "write":
            values = {"title": "Pumps", "body": f"Hour {moment}."}
            RecordText.objects.update_or_create(record=record, language=language, defaults=values)
            told.texts[language] = Text(body=values["body"], written=moment)
        elif deed == "confirm" and language in told.texts:
            told.texts[language].written = moment
        elif deed == "delete":
            record.texts.filter(language=language).delete()
            told.texts.pop(language, None)
        elif deed == "name":
            record.original = told.named = language
            record.save()
        elif deed == "publish":
            made = [version.pk for version in publish(record)]
            RecordVersion.objects.filter(pk__in=made).update(published_at=now)
            self.tell_publication(told, moment)
        if deed in {"write", "confirm"}:  # a saved draft has the clock's time
            record.texts.filter(language=language).update(updated_at=now)

    def tell_publication(self, told, moment):
        for code in set(told.live) | set(told.texts):
            draft, live = told.texts.get(code), told.live.setdefault(code, Text())
            if draft is None:
                live.live = None
            elif live.live != draft.body:
                live.live, live.published, live.number = draft.body, moment, live.number + 1
