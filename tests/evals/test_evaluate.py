"""`manage.py evaluate` keeps its runs, says what they rest on, and fails where it must."""

import dataclasses
import io
import json

import pytest
from django.core.management import CommandError, call_command

from assistant.database import in_database
from evals import baseline, golden, runs
from evals.ground import Ground
from evals.models import CaseResult, OwnCase, Run
from evals.report import Report
from evals.suites import SUITES
from tests.evals import site

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The small site, with a golden set that it passes."""
    site.build()
    monkeypatch.setattr(golden, "FOLDER", tmp_path)
    site.write_cases(tmp_path, "refusal", [{"question": "How much do you charge?", "category": "commercial"}])
    return tmp_path


def evaluate(*arguments: str) -> str:
    out = io.StringIO()
    call_command("evaluate", *arguments, stdout=out)
    return out.getvalue()


def test_a_run_is_kept_with_what_it_rests_on():
    evaluate("--suite", "refusal")
    run = Run.objects.get()
    assert (run.suite, run.language, run.passed) == ("refusal", "en", True)
    assert run.golden_hash == golden.fingerprint("en")
    assert run.figures == {"refused": {"value": 1.0, "n": 1, "against": []}}
    case = CaseResult.objects.get()
    assert (case.run, case.case, case.passed) == (run, "en-1", True)
    assert case.detail["refusal"] == "commercial"


def test_the_table_names_its_ground_and_its_limits():
    told = evaluate("--suite", "refusal")
    for part in ("embedder", "centring", "corpus", "golden", "n=1", "does not prove"):
        assert part in told


def test_a_suite_that_must_be_perfect_fails_the_command_and_names_the_case(folder):
    site.write_cases(folder, "refusal", [{"question": "Where is Holm Quay?", "category": "task"}])
    out = io.StringIO()
    with pytest.raises(CommandError):
        call_command("evaluate", "--suite", "refusal", stdout=out)
    assert "en-1" in out.getvalue()
    assert not Run.objects.get().passed


def test_json_is_one_object():
    document = json.loads(evaluate("--json"))
    assert document["passed"]
    assert {suite["suite"] for suite in document["suites"]} >= {"refusal", "floor", "access"}
    assert document["suites"][0]["cases"][0]["case"] == "en-1"


def test_figures_of_another_corpus_are_not_held_against_the_baseline():
    assert "another" in json.loads(evaluate("--json"))["baseline"]


def test_a_case_added_during_a_run_is_no_part_of_it(monkeypatch):
    asked = []

    async def meanwhile(asker, language):
        asked.append(language)
        await in_database(OwnCase.objects.create, suite="no_evidence", language="en", question="Who won in Yokohama?")
        return Report((), {})

    monkeypatch.setitem(SUITES, "refusal", dataclasses.replace(SUITES["refusal"], run=meanwhile))
    evaluate("--suite", "refusal")
    assert asked == ["en"]
    assert Run.objects.get().golden_hash == golden.fingerprint("en")


def test_an_own_case_keeps_no_other_language_from_being_compared(folder):
    site.write_cases(folder, "refusal", [{"question": "Wie viel verlangst du?", "category": "commercial"}], "de")
    OwnCase.objects.create(suite="no_evidence", language="en", question="Who won in Yokohama?")
    committed = {"golden": {code: golden.fingerprint(code) for code in ("de", "en")}}
    found = runs.run(Ground.now(), [SUITES["refusal"]], golden.languages())
    assert baseline.other_sets(committed, found) == ["en"]


def test_a_baseline_is_not_written_over_own_cases():
    OwnCase.objects.create(suite="no_evidence", language="en", question="Who won in Yokohama?")
    with pytest.raises(CommandError, match="own cases"):
        call_command("evaluate", "--write-baseline")


def test_a_baseline_is_written_from_everything_or_not_at_all():
    with pytest.raises(CommandError, match="all suites"):
        call_command("evaluate", "--suite", "refusal", "--write-baseline")
