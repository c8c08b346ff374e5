"""Calibration measures this site's questions, and changes the floors only where the run allows it."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from assistant import floors
from assistant.models import Floor
from evals import calibration, golden
from evals.ground import Ground
from evals.models import Calibration, OwnCase
from records import ingestion
from records.models import Owner, Record
from records.publishing import withdraw
from tests.evals import site

pytestmark = pytest.mark.django_db(transaction=True)

ANSWERED = [
    ("How many days did the battery of the tide gauge at Holm Quay last?", "battery lasted 412 days in the winter"),
    ("How often does the tide gauge at Holm Quay report the water level?", "reports the water level every six minutes"),
    ("Who repaired the mast of the tide gauge after the storm?", "repaired by the harbour crew after the storm"),
]
OFF_TOPIC = ["Which planet has the most moons?", "How are olives cured?", "When was the printing press invented?"]


@pytest.fixture
def cases(tmp_path, monkeypatch):
    """A site, with a few golden questions of both kinds; embedded as published."""
    monkeypatch.setattr(golden, "FOLDER", tmp_path)
    monkeypatch.setattr(calibration, "FEWEST", 3)
    site.build()
    ingestion.work(seconds=60)
    halves = ["tuning", "holdout"] * 3
    answered = [
        {
            "question": f"{question}{'?' * (n // 3)}",
            "split": halves[n],
            "answers": [{"record": "gauge", "contains": has}],
        }
        for n in range(6)
        for question, has in [ANSWERED[n % 3]]
    ]
    off_topic = [{"question": f"{OFF_TOPIC[n % 3]}{'?' * (n // 3)}", "split": halves[n]} for n in range(6)]
    site.write_cases(tmp_path, "answerable", answered)
    site.write_cases(tmp_path, "no_evidence", off_topic)
    return tmp_path


def suggest(*questions):
    Owner.objects.update(questions={"en": list(questions)})


def calibrate(*options):
    out = StringIO()
    call_command("calibrate", "--json", *options, stdout=out)
    return json.loads(out.getvalue())


def test_own_cases_are_held_out_and_kept_without_their_words(cases):
    answered = OwnCase.objects.create(suite="answerable", language="en", question=f"{ANSWERED[0][0]} MINE")
    answered.records.set(Record.objects.filter(slug="gauge"))
    OwnCase.objects.create(suite="no_evidence", language="pt", question="MINE: quem inventou a imprensa?")
    result = calibration.run(Ground.now())
    told, stored = calibration.document(result), calibration.store(result)
    own = {point["case"]: point for point in told["points"] if point["case"].startswith("own-")}
    assert [(point["split"], point["should_pass"], point["question"]) for point in own.values()] == [
        ("holdout", True, ""),
        ("holdout", False, ""),
    ]
    assert own[answered.case]["words"] > 0
    assert told["held_out"]["proposed"]["pt"]["stopped"]["n"] == 1
    assert "MINE" not in json.dumps([told, stored.points, stored.against])


def test_an_own_case_sets_no_floor(cases):
    before = calibration.run(Ground.now()).proposed
    OwnCase.objects.create(suite="no_evidence", language="en", question=f"{ANSWERED[0][0]} And the mast?")
    after = calibration.run(Ground.now())
    assert after.proposed == before
    assert len(after.points) == 13


def test_a_run_that_passes_puts_its_floors_in_force(cases):
    suggest(ANSWERED[0][0])
    assert floors.state() == "uncalibrated"
    told = calibrate("--apply")
    assert told["applied"]
    assert told["against"] == []
    assert floors.state() == "calibrated"
    now = floors.current()
    assert (now.dense, now.words) == (told["proposed"]["dense"], told["proposed"]["words"])


def test_without_apply_nothing_changes_and_the_run_is_kept(cases):
    calibrate()
    assert Floor.objects.count() == 0
    kept = Calibration.objects.get()
    assert (kept.space, kept.corpus) == (Ground.now().space, Ground.now().corpus)
    assert len(kept.points) == 12


def test_a_suggested_question_that_would_be_refused_stands_against_the_floors(cases):
    suggest("How much do you charge?")
    with pytest.raises(CommandError, match="suggested question “How much do you charge\\?”"):
        calibrate("--apply")
    assert Floor.objects.count() == 0


def test_a_reason_overrides_and_stays_on_record(cases):
    suggest("How much do you charge?")
    told = calibrate("--override", "the price list is published next week")
    assert told["applied"]
    assert Floor.objects.get().reason == "the price list is published next week"


def test_a_changed_corpus_makes_a_run_and_its_floors_stale(cases):
    calibrate("--apply")
    withdraw(Record.objects.get(slug="works"))
    assert floors.state() == "stale"
    with pytest.raises(calibration.Refused, match="calibrate again"):
        calibration.apply(Calibration.objects.get())


def test_questions_about_another_site_calibrate_nothing(cases):
    withdraw(Record.objects.get(slug="gauge"))
    with pytest.raises(CommandError, match="Too few held-out questions speak of this site: 0"):
        calibrate("--apply")
    assert Calibration.objects.get().dense is None


def test_an_overview_question_without_its_records_stands_against_the_floors(cases):
    routed = {"question": "What is {owner} working on now?", "route": "records", "topic": "now"}
    site.write_cases(cases, "routing", [{**routed, "records": ["works", "harbour"]}])
    with pytest.raises(CommandError, match="Overview questions that do not get their records: en-1"):
        calibrate("--apply")
