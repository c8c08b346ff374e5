"""Lists of records: the right ones for a topic, newest first by their own dates, in the reader's language."""

import pytest

from records import selectors
from records.access import PUBLIC
from records.models import Kind
from records.publishing import publish, withdraw
from tests.records.drafts import day, draft, published

pytestmark = pytest.mark.django_db


def overview(topic, language="en", limit=20):
    return [view.record for view in selectors.overview(topic, language, PUBLIC, limit)]


def position(slug, start=None, end=None, current=False, kind=Kind.CV, **fields):
    published(slug, "Text.", kind=kind, start=start, end=end, current=current, fields=fields)


@pytest.fixture
def site():
    position("partner", day("2018-09-01"), current=True, type="job")
    position("engineer", day("2015-04-01"), day("2018-08-01"), type="job")
    position("degree", day("2009-09-01"), type="education")
    position("prize", day("2023-11-16"), type="award")
    position("old-project", day("2019-01-01"), kind=Kind.CASE_STUDY)
    position("new-project", day("2025-01-01"), current=True, kind=Kind.CASE_STUDY)
    position("essay", day("2024-01-01"), kind=Kind.ARTICLE)
    position("audit", current=True, kind=Kind.SERVICE)


class TestTopics:
    @pytest.mark.parametrize(
        ("topic", "records"),
        [
            ("now", ["new-project", "partner"]),
            ("recent", ["new-project", "essay", "prize", "old-project", "partner", "engineer", "degree"]),
            ("career", ["prize", "partner", "engineer"]),
            ("projects", ["new-project", "old-project"]),
            ("writing", ["essay"]),
            ("research", ["essay", "degree"]),
            ("education", ["degree"]),
            ("services", ["audit"]),
            ("skills", ["new-project", "old-project", "partner", "engineer", "audit"]),
            ("overview", ["new-project", "essay", "prize", "old-project", "partner", "engineer", "degree", "audit"]),
        ],
    )
    def test_each_topic_has_its_records_newest_first(self, site, topic, records):
        assert overview(topic) == records

    def test_the_limit_keeps_the_newest(self, site):
        assert overview("recent", limit=2) == ["new-project", "essay"]

    def test_panorama_shows_some_of_every_kind(self, site):
        kinds = {view.kind for view in selectors.panorama("en", PUBLIC)}
        assert kinds == set(Kind.values)

    def test_it_is_read_anew_each_time(self, site):
        record = published("late", "Text.", kind=Kind.ARTICLE, start=day("2026-01-01")).record
        assert overview("writing") == ["late", "essay"]
        withdraw(record)
        assert overview("writing") == ["essay"]


class TestOrder:
    def test_the_current_comes_first_where_dates_tie(self):
        position("a-finished", day("2020-01-01"), day("2020-12-01"))
        position("b-current", day("2020-01-01"), current=True)
        assert overview("career") == ["b-current", "a-finished"]

    def test_then_what_ended_later(self):
        position("a-short", day("2020-01-01"), day("2020-02-01"))
        position("b-long", day("2020-01-01"), day("2021-02-01"))
        assert overview("career") == ["b-long", "a-short"]

    def test_the_undated_comes_last(self):
        position("a-undated", current=True)
        position("b-dated", day("1990-01-01"))
        assert overview("career") == ["b-dated", "a-undated"]


class TestViews:
    def test_dates_keep_the_precision_that_the_owner_gave(self):
        published(
            "leaks",
            "Text.",
            start=day("2018-09-01"),
            start_precision="month",
            end=day("2020-01-01"),
            end_precision="year",
        )
        [view] = selectors.overview("projects", "en", PUBLIC, 1)
        assert (view.start, view.start_precision) == (day("2018-09-01"), "month")
        assert (view.end, view.end_precision) == (day("2020-01-01"), "year")

    @pytest.mark.parametrize(("wanted", "shown"), [("fa", "fa"), ("en", "en"), ("pt", "pt"), ("de", "en")])
    def test_the_reader_gets_their_language_else_english(self, wanted, shown):
        published("leaks", texts={"pt": "Um.", "en": "One.", "fa": "یک."})
        assert [view.language for view in selectors.overview("projects", wanted, PUBLIC, 9)] == [shown]

    def test_else_any_language_there_is(self):
        published("leaks", texts={"ru": "Один."})
        assert [view.language for view in selectors.overview("projects", "de", PUBLIC, 9)] == ["ru"]

    def test_a_draft_is_no_translation(self):
        record = published("leaks", texts={"en": "One."}).record
        draft("leaks", texts={"pt": "Um."})
        assert selectors.live_version(record.slug, "pt", PUBLIC).language == "en"


def test_a_reader_gets_what_was_written_first_before_another_translation():
    record = draft("leaks", texts={"ar": "تسرب.", "pt": "Fugas.", "de": "Lecks."}, original="pt")
    publish(record)
    assert [selectors.by_kind(Kind.CASE_STUDY, code, PUBLIC)[0].language for code in ("fr", "de")] == ["pt", "de"]
