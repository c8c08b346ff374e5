"""Figures of real traffic: each with its count and what it is a share of, deleted turns with what is left of them."""

import csv
import io
from datetime import date, datetime, time, timedelta

import pytest
from django.conf import settings as configured
from django.utils import timezone

from assistant import retention
from assistant.models import Citation, Conversation, DayFigure, Feedback, GuardrailEvent, Sentence, Turn
from evals import groundedness
from records.publishing import publish, revoke, withdraw
from tests.records.desk import faults_for_a_screen_reader, sign_in
from tests.records.drafts import published

pytestmark = pytest.mark.django_db

TODAY = date(2025, 3, 20)
PAGE = "/admin/evals/run/groundedness/"


def turn(day=TODAY, released=0, version=None, language="en", **values):
    conversation = Conversation.objects.create(language=language)
    made = Turn.objects.create(
        conversation=conversation, ordinal=1, question="?", language=language, deadline=timezone.now(),
        **{"state": "done", **values},
    )  # fmt: skip
    noon = datetime.combine(day, time(12), tzinfo=configured.TRAVA.zone)
    Turn.objects.filter(pk=made.pk).update(created_at=noon)
    for ordinal in range(1, released + 1):
        sentence = Sentence.objects.create(turn=made, ordinal=ordinal, text="It fell.", language=language)
        if version:
            Citation.objects.create(sentence=sentence, ordinal=1, version=version)
    return made


def part(name, days=7):
    rows = next(each for each in groundedness.parts(days, TODAY) if each.name == name).rows
    return {(row.language, row.name): (row.count, row.of) for row in rows}


def plain(name, days=7):
    return {row: found for (_language, row), found in part(name, days).items()}


def test_how_questions_ended_adds_up_to_all_of_them():
    turn(released=1)
    turn(refusal="no_evidence")
    turn(refusal="no_evidence")
    turn(refusal="commercial", notice="stopped")
    turn(notice="withheld", stop="value", released=1)
    turn(live_check=True, refusal="private")
    turn(state="running")
    turn(day=TODAY - timedelta(days=7), refusal="meta")
    assert plain("outcomes") == {
        "answered": (1, 5),
        "refused: no_evidence": (2, 5),
        "refused: commercial": (1, 5),
        "notice: withheld": (1, 5),
    }


def test_a_stopped_sentence_is_one_of_its_languages_sentences():
    turn(released=3)
    turn(released=1, stop="value", notice="withheld")
    turn(language="fa", stop="quote", notice="withheld")
    turn(language="de", refusal="meta")
    assert part("stopped") == {
        ("en", "all"): (1, 5),
        ("en", "value"): (1, 5),
        ("fa", "all"): (1, 1),
        ("fa", "quote"): (1, 1),
    }


def test_sentences_with_and_without_sources_are_all_sentences():
    version = published("leaks", "Night flow fell.")
    placed = version.placements.first()
    first = turn(released=2, version=version)
    Sentence.objects.create(turn=first, ordinal=0, text="In English:", language="en")
    where = {"passage": placed.passage, "start": placed.start, "end": placed.end}
    Citation.objects.create(sentence=first.sentences.get(ordinal=2), ordinal=2, version=version, **where)
    turn(released=1)
    assert plain("sources") == {"with a source": (2, 3), "with a passage": (1, 3), "without a source": (1, 3)}


def test_what_was_cited_is_told_as_it_stands_today():
    version = published("leaks", "Night flow fell.", valid_to="2020-01-01")
    turn(released=2, version=version)
    standing = {"live": (2, 2), "superseded": (0, 2), "withdrawn": (0, 2), "revoked": (0, 2), "expired": (2, 2)}
    assert plain("standing") == standing
    version.record.texts.update(body="Night flow rose.")
    publish(version.record)
    assert plain("standing")["superseded"] == (2, 2)
    withdraw(version.record)
    assert plain("standing")["withdrawn"] == (2, 2)
    revoke(version.record)
    assert plain("standing")["revoked"] == (2, 2)


def test_second_tries_and_refusals_of_the_model_are_counted_against_all_questions():
    for guard in ("second_try", "model_refusal", "value"):
        GuardrailEvent.objects.create(turn=turn(), guard=guard)
    assert plain("model") == {
        "second_try": (1, 3), "model_refusal": (1, 3), "undue_refusal": (0, 3), "not_covered": (0, 3),
        "language": (0, 3),
    }  # fmt: skip


def test_what_visitors_said_has_those_who_said_something_as_its_n():
    Feedback.objects.create(turn=turn(), verdict="up")
    Feedback.objects.create(turn=turn(), verdict="down", reported=True)
    turn()
    assert plain("feedback") == {"up": (1, 2), "down": (1, 2), "reported": (1, 2)}


def test_deleted_turns_stay_in_the_figures_that_their_day_keeps():
    gone = [
        turn(refusal="no_evidence"),
        turn(released=2, stop="value", notice="withheld"),
        turn(released=1, language="fa"),
    ]
    GuardrailEvent.objects.create(turn=gone[1], guard="second_try")
    before = {name: part(name) for name in ("outcomes", "stopped", "model", "opened")}
    retention.erase_turns([each.pk for each in gone])
    assert not Turn.objects.exists()
    assert {name: part(name) for name in before} == before
    assert plain("sources")["with a source"] == (0, 0)


def test_openings_are_held_against_the_answers_of_the_period():
    turn(released=1)
    turn(refusal="meta")
    DayFigure.objects.create(day=TODAY, language="en", kind="opened", count=3)
    DayFigure.objects.create(day=TODAY - timedelta(days=8), language="en", kind="opened", count=5)
    assert plain("opened") == {"opened": (3, 1)}
    assert plain("opened", 30) == {"opened": (8, 1)}


def test_a_share_of_nothing_is_none_and_no_part_breaks():
    rows = [row for each in groundedness.parts(90, TODAY) for row in each.rows]
    assert rows
    assert {row.share for row in rows} == {None}


def test_it_takes_as_many_statements_for_many_turns_as_for_one(django_assert_num_queries):
    turn(released=1, version=published("leaks", "Night flow fell."))
    with django_assert_num_queries(9):
        groundedness.parts(7, TODAY)
    for _ in range(5):
        turn(released=2, version=published("bridge", "Gauges."), stop="value", language="de")
    with django_assert_num_queries(9):
        groundedness.parts(7, TODAY)


class TestPage:
    @pytest.mark.parametrize("role", ["owner", "editor", "reviewer"])
    def test_every_role_reads_it(self, client, role):
        sign_in(client, role)
        told = client.get(PAGE).content.decode()
        assert "What this does not prove" in told
        assert "NaN" not in told
        assert "None" not in told
        assert PAGE in client.get("/admin/evals/run/").content.decode()

    def test_nobody_else_does(self, client):
        assert client.get(PAGE).status_code == 302
        assert client.get("/admin/evals/run/groundedness.csv").status_code == 302

    @pytest.mark.parametrize(("asked", "shown"), [("7", 7), ("90", 90), ("8", 30), ("x", 30), ("", 30)])
    def test_the_period_is_one_of_three(self, client, asked, shown):
        sign_in(client, "owner")
        assert f'<option value="{shown}" selected>' in client.get(PAGE, {"days": asked}).content.decode()

    def test_the_file_has_every_row_of_the_page(self, client):
        turn(day=timezone.localdate(), released=1, stop="value")
        sign_in(client, "reviewer")
        answer = client.get("/admin/evals/run/groundedness.csv", {"days": "7"})
        text = b"".join(answer.streaming_content).decode("utf-8-sig")
        rows = list(csv.DictReader(io.StringIO(text)))
        assert len(rows) == sum(len(each.rows) for each in groundedness.parts(7))
        stopped = next(row for row in rows if row["part"] == "stopped" and row["name"] == "value")
        assert (stopped["language"], stopped["count"], stopped["n"], stopped["share"]) == ("en", "1", "2", "0.5")
        assert "nan" not in text.lower()

    def test_a_screen_reader_finds_nothing_wrong(self, client):
        turn(day=timezone.localdate(), released=1, stop="value")
        sign_in(client, "owner")
        faults = faults_for_a_screen_reader(client.get(PAGE))
        assert faults == {"unlabelled": [], "twice": [], "skipped": [], "h1": 1}
