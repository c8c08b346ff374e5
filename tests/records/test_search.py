"""The fused order orders, the measures measure: own text, whole words, and whoever decides is among the hits."""

import math
from datetime import timedelta

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from guardrails.coverage import coverage
from records.access import PUBLIC
from records.models import Record, RecordText, SearchEntry
from records.publishing import publish
from records.ranking import LIST_LENGTH, RRF_K
from records.search import Found, Query, search
from tests.records.drafts import ask, day, published, reading, records_of

pytestmark = pytest.mark.django_db

FILLER = "Unrelated remarks on tomatoes, glasshouses, ventilation and shade."


def unit(degrees):
    """A vector of length 1 whose cosine with `unit(0)` is that of the angle."""
    return [math.cos(math.radians(degrees)), math.sin(math.radians(degrees))]


def at(slug, degrees, body=FILLER, **more):
    """Publish a record whose one passage has the vector of that angle."""
    version = published(slug, body, **more)
    SearchEntry.objects.filter(record=version.record).update(vector=unit(degrees))


def fan(bodies):
    """Publish one record with a section for each body, their vectors a degree apart from one degree on."""
    published("fan", "\n\n".join(f"# {number}\n\n{body}" for number, body in enumerate(bodies)))
    for entry in SearchEntry.objects.filter(record__slug="fan").select_related("placement"):
        entry.vector = unit(1 + entry.placement.ordinal)
        entry.save()


class TestTwoStatements:
    def test_a_search_picks_and_fetches_whatever_its_readings(self, django_assert_num_queries):
        at("a", 0)
        ask("tomatoes")  # reads how rare words are
        query = Query(floor=(reading("tomatoes", vector=unit(0)), reading("shade")), order=(reading("glass"),))
        with django_assert_num_queries(2):
            search(query, PUBLIC, 8)

    @pytest.mark.parametrize("question", ["", "?", "'; DROP TABLE", "a:b & (c | !d)", "%s {x} \\ ''", "水", "é" * 3000])
    def test_any_question_is_only_a_question(self, question):
        at("a", 0)
        assert ask(question, vector=unit(0)).best_dense == 1

    def test_nothing_published_finds_nothing(self):
        assert ask("tomatoes", vector=unit(0)) == Found(())
        assert (Found(()).best_dense, Found(()).best_words) == (None, 0.0)


class TestTranslationsOlderThanTheirOriginal:
    """The German reader, for whom there is no text, is told what the original says now."""

    OLD = {"en": "The pumps stood still for 12 hours.", "pt": "As bombas ficaram paradas por 12 horas."}

    def correct(self, language, body):
        """Change one text as its editor does, and publish."""
        text = RecordText.objects.get(record__slug="pumps", language=language)
        text.body = body
        text.save()
        publish(text.record)

    def told(self, language, text="pumps 12 hours bombas paradas horas"):
        return {hit.language for hit in ask(text, language=language).hits}

    def test_one_that_was_published_with_its_original_answers_any_reader(self):
        published("pumps", texts=self.OLD)
        assert self.told("de") & {"en", "pt"}
        published("pumps", texts={"en": "The pumps stood still for 14 hours.", "pt": "As bombas pararam por 14 horas."})
        assert ask("bombas pararam", language="de").hits[0].language == "pt"

    def test_one_that_was_not_corrected_with_it_answers_in_its_own_language_alone(self):
        published("pumps", texts=self.OLD)
        self.correct("en", "The pumps stood still for 14 hours.")
        assert self.told("de") == {"en"}
        assert self.told("pt") == {"pt"}

    def test_one_whose_editor_says_that_it_says_the_same_answers_any_reader(self):
        published("pumps", texts=self.OLD)
        self.correct("en", "For 12 hours the pumps stood still.")
        RecordText.objects.get(record__slug="pumps", language="pt").save()
        assert ask("bombas paradas", language="de").hits[0].language == "pt"

    def test_without_its_original_it_answers_any_reader_again(self):
        published("pumps", texts=self.OLD)
        self.correct("en", "The pumps stood still for 14 hours.")
        record = Record.objects.get(slug="pumps")
        record.texts.filter(language="en").delete()
        publish(record)
        assert self.told("de") == {"pt"}


class TestFusion:
    def test_reciprocal_ranks_of_both_lists_are_added(self):
        at("both", 10, "Night flow of the district.")
        at("meaning", 5)
        at("words", 80, "Night flow, night flow, night flow.")
        found = ask("night flow", vector=unit(0))
        scores = {hit.record: hit.fused for hit in found.hits}
        assert scores["both"] == pytest.approx(1 / (RRF_K + 2) + 1 / (RRF_K + 2))
        assert scores["meaning"] == pytest.approx(1 / (RRF_K + 1))
        assert scores["words"] == pytest.approx(1 / (RRF_K + 3) + 1 / (RRF_K + 1))
        assert records_of(found) == ["words", "both", "meaning"]

    def test_equal_scores_have_one_order(self):
        for slug in "abcdef":
            published(slug, FILLER)
        assert len({ask("tomatoes").hits for _ in range(3)}) == 1

    def test_a_rare_word_weighs_more_than_a_common_one(self):
        for number in range(9):
            published(f"flow-{number}", "The flow and the flow.")
        published("rare", "The Ullswater weir.")
        assert records_of(ask("the flow at Ullswater"))[0] == "rare"

    def test_title_headings_summary_fields_and_years_help_to_find(self):
        published("norrow", f"# Cavitation\n\n{FILLER}", start=day("2019-03-01"), fields={"client": ["Water Board"]})
        for word in ("norrow", "cavitation", "board", "2019"):
            assert records_of(ask(word)) == ["norrow"]

    def test_an_order_reading_orders_and_is_never_measured(self):
        at("near", 0, "Night flow of the district.")
        at("far", 60)
        order = reading("night flow district", vector=unit(0))
        found = search(Query(floor=(reading("elephants", vector=unit(60)),), order=(order,)), PUBLIC, 8)
        measures = {hit.record: (round(hit.dense, 6), hit.words) for hit in found.hits}
        assert measures == {"near": (0.5, 0.0), "far": (1.0, 0.0)}
        assert records_of(found)[0] == "near"

    def test_of_several_floor_readings_the_better_counts(self):
        at("a", 0, "Night flow of the district.")
        query = Query(floor=(reading("elephants", vector=unit(90)), reading("night flow", vector=unit(0))))
        [hit] = search(query, PUBLIC, 8).hits
        assert (hit.dense, hit.words) == (1.0, 1.0)


class TestMeasures:
    def test_dense_is_a_cosine_clipped_to_its_bounds(self):
        at("opposite", 180)
        at("sixty", 60)
        dense = {hit.record: hit.dense for hit in ask("x", vector=unit(0)).hits}
        assert dense == {"opposite": 0.0, "sixty": pytest.approx(0.5)}

    def test_without_a_vector_keywords_go_alone(self):
        at("a", 0, "Night flow of the district.")
        found = ask("night flow")
        assert (records_of(found), found.best_dense, found.best_words) == (["a"], None, 1.0)

    def test_entries_not_embedded_yet_are_found_by_keyword(self):
        at("embedded", 0)
        published("waiting", "Night flow of the district.")
        hits = {hit.record: hit for hit in ask("night flow", vector=unit(0)).hits}
        assert (hits["waiting"].dense, hits["waiting"].words) == (None, 1.0)
        assert hits["embedded"].dense == 1.0

    def test_whole_words_count_and_parts_of_words_do_not(self):
        published("parts", "Nightly overflowing pipes flow.")
        assert ask("night flow").best_words == 0.0
        assert ask("night pipes flow").best_words == pytest.approx(2 / 3)

    def test_one_shared_word_is_none(self):
        published("a", "The district.")
        found = ask("district")
        assert (len(found.hits), found.best_words) == (1, 0.0)

    def test_coverage_reads_the_own_text_and_never_the_context(self):
        published("night-flow", f"# Leaks in the district\n\n{FILLER}", fields={"client": "Norrow"})
        found = ask("night flow leaks district Norrow")
        assert (records_of(found), found.best_words) == (["night-flow"], 0.0)

    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
    @given(
        st.lists(st.sampled_from(["night", "flow", "valve", "pump", "weir", "gate"]), max_size=8),
        st.lists(st.sampled_from(["night", "flow", "valve", "river", "dam"]), min_size=1, max_size=8),
    )
    def test_coverage_in_the_statement_is_that_of_the_guardrails(self, asked, written):
        published("a", " ".join(written))
        assert ask(" ".join(asked)).best_words == pytest.approx(coverage(asked, written))


class TestReturned:
    def test_the_deciding_passages_are_always_among_the_hits(self):
        fan(f"Night watch {number}, night shift, night duty." for number in range(30))
        at("best-dense", 0)
        at("best-words", 89, "Valve and pump by night. " + FILLER * 6)
        found = ask("night valve pump", k=3, vector=unit(0))
        assert {"best-dense", "best-words"} <= set(records_of(found))
        assert len(found.hits) == 3
        assert [hit.fused for hit in found.hits] == sorted((hit.fused for hit in found.hits), reverse=True)

    def test_at_most_k_and_as_many_as_there_are(self):
        fan(f"{number} {FILLER}" for number in range(12))
        assert [len(ask("tomatoes", k=k, vector=unit(0)).hits) for k in (1, 8, 20)] == [1, 8, 12]

    def test_each_list_is_cut_before_fusion(self):
        fan(f"{number} {FILLER}" for number in range(LIST_LENGTH + 10))
        hits = ask("elephants", k=100, vector=unit(0)).hits
        assert len(hits) == LIST_LENGTH
        assert hits[0].text.startswith("0 ")

    def test_of_a_record_s_translations_one_is_delivered(self):
        version = published("leaks", texts={"en": "Night flow fell.", "pt": "Night flow caiu."})
        SearchEntry.objects.filter(record=version.record).update(vector=unit(0))
        at("other", 50)
        for language in ("en", "pt"):
            query = Query(floor=(reading("night flow", vector=unit(0)),), language=language)
            hits = search(query, PUBLIC, 8).hits
            assert [(hit.record, hit.language) for hit in hits] == [("leaks", language), ("other", "en")]

    def test_without_one_in_the_question_s_language_the_best_is(self):
        published("leaks", texts={"en": "Night flow fell.", "pt": "Vazão."})
        query = Query(floor=(reading("night flow"),), language="de")
        assert [hit.language for hit in search(query, PUBLIC, 8).hits] == ["en"]

    def test_a_hit_says_where_it_stands_and_what_its_version_knows(self):
        version = published(
            "leaks",
            f"Intro.\n\n# Results\n\n## Night\n\n{FILLER}",
            start=day("2018-10-01"),
            start_precision="month",
            current=True,
            authority=10,
            decided_by="Ide Calloway",
            valid_from=day("2018-10-01"),
            valid_to=day("2030-01-01"),
        )
        [hit] = [hit for hit in ask("tomatoes and shade").hits if hit.text == FILLER]
        assert version.text[hit.start : hit.end] == FILLER
        assert (hit.version, hit.section_path) == (version.pk, ("Results", "Night"))
        assert (hit.start_date, hit.start_precision, hit.current) == (day("2018-10-01"), "month", True)
        assert (hit.authority, hit.decided_by) == (10, "Ide Calloway")
        assert (hit.valid_from, hit.valid_to) == (day("2018-10-01"), day("2030-01-01"))


class TestLifetimes:
    def test_an_expired_record_serves_as_history(self):
        yesterday = timezone.localdate() - timedelta(days=1)
        published("modems", FILLER, valid_to=yesterday)
        assert ask("tomatoes").hits[0].valid_to == yesterday

    def test_a_superseded_version_is_never_found(self):
        published("bridge", "Twenty readings a second are enough.")
        today = published("bridge", "Fifty readings a second are enough.")
        assert [hit.version for hit in ask("readings a second").hits] == [today.pk]
        assert ask("twenty readings").best_words == 0.0
