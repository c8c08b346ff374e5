"""The product broken on purpose: the suite that is there for it falls, and the board names what changed.

A change of the program is told by its commit, which these tests name; everything else is read from the site itself.
"""

import re
from dataclasses import replace
from functools import partial

import pytest
from django.core.management import call_command

from assistant import prompts
from assistant.models import Floor
from evals import golden, runs
from evals.dashboard import board
from evals.ground import Ground
from evals.suites import SUITES
from guardrails import belt, language, latch, question_patterns, refusal
from records.models import Record
from records.publishing import publish
from tests.evals import site

pytestmark = pytest.mark.django_db(transaction=True)

CHARGE = "How much do you charge?"
BATTERY = "How many days did the battery of the tide gauge at Holm Quay last?"
LASTED = {"record": "gauge", "contains": "battery lasted 412 days in the winter"}
POWER = "Wie lange hielt der Akku des Pegels in Holm Quay?"
TRAWLERS = "Which trawlers did the storm of the winter of 1962 sink between Iceland, Jan Mayen and the Faroes?"
UNSAID = {
    "commitment": "Her day rate is 600 euros [2].",
    "first_person": "I built the gauge [1].",
    "value": "Its battery lasted 214 days [1].",
    "marker_missing": "Its battery lasted until the winter ended.",
    "marker_range": "Its battery lasted 412 days [7].",
}


@pytest.fixture(autouse=True)
def _site():
    site.build()


@pytest.fixture
def cases(tmp_path, monkeypatch):
    """Write a suite's golden file."""
    monkeypatch.setattr(golden, "FOLDER", tmp_path)
    return lambda suite, *given: site.write_cases(tmp_path, suite, given)


@pytest.fixture
def language_files(tmp_path, monkeypatch):
    """English alone, as a file that may be changed; `forget` makes the guards read it."""
    found = tmp_path / "languages"
    found.mkdir()
    (found / "en.toml").write_text((language._FOLDER / "en.toml").read_text(encoding="utf-8"), encoding="utf-8")
    with monkeypatch.context() as patch:
        patch.setattr(language, "_FOLDER", found)
        forget()
        yield found / "en.toml"
    forget()


def forget() -> None:
    for cached in (language.load, language.available, question_patterns._index):
        cached.cache_clear()


def judged(suite: str, code: str = "the same") -> bool:
    """Run a suite on the site as it is, keep the run, and tell whether it held."""
    ground = replace(Ground.now(), code=code)
    done = runs.run(ground, [SUITES[suite]], ["en"])
    return runs.store(done, ground)[0].passed


def named() -> list[str]:
    """What the board says has changed since the one suite that ran stood better."""
    (line,) = board.lines()
    assert line.fell is not None
    return [change.column for change in line.blamed]


def test_a_removed_refusal_pattern(cases, language_files):
    cases("refusal", {"question": CHARGE, "category": "commercial"})
    assert judged("refusal", code="before")
    while match := refusal.check(CHARGE):
        text = language_files.read_text(encoding="utf-8")
        block = rf'\[\[refusal\.\w+\]\]\nname = "{re.escape(match.pattern)}"\n.*?(?=\n\[)'
        shorter = re.sub(block, "", text, flags=re.DOTALL)
        assert shorter != text
        language_files.write_text(shorter, encoding="utf-8")
        forget()
    assert not judged("refusal", code="after")
    assert named() == ["code_version"]


def test_a_lowered_floor(cases):
    cases("no_evidence", {"question": TRAWLERS, "split": "holdout"})
    cases("answerable", {"id": "en-2", "question": BATTERY, "split": "holdout", "answers": [LASTED]})
    assert judged("floor")
    Floor.objects.create(dense=0, words=0, space="", corpus="")
    assert not judged("floor")
    assert named() == ["floors"]


def test_another_embedder(cases, settings):
    """What no word of the question leads to is found by its vector alone."""
    call_command("ingest", verbosity=0)
    cases("answerable", {"question": POWER, "split": "holdout", "answers": [LASTED]})
    judged("answerable")
    settings.TRAVA = settings.TRAVA.model_copy(update={"EMBEDDER": "none"})
    judged("answerable")
    assert named() == ["embedder"]


def test_two_passages_with_each_others_text(cases):
    cases("answerable", {"question": BATTERY, "split": "holdout", "answers": [LASTED]})
    judged("answerable")
    first, second = (Record.objects.get(slug=slug).texts.get() for slug in ("gauge", "survey"))
    first.body, second.body = second.body, first.body
    for text in (first, second):
        text.save()
        publish(text.record)
    judged("answerable")
    assert named() == ["corpus"]


@pytest.mark.parametrize("check", UNSAID)
def test_a_latch_that_skips_a_check(cases, monkeypatch, check):
    sources = ["Its battery lasted 412 days.", "A day was paid with 600 euros in 2019."]
    cases("commitment", {"question": "?", "sources": sources, "says": UNSAID[check], "stopped_by": check})
    assert judged("commitment", code="before")
    others = tuple(guard for guard in belt.BELT if guard[0] != check)
    monkeypatch.setattr(latch, "first_violation", partial(belt.first_violation, belt=others))
    assert not judged("commitment", code="after")
    assert named() == ["code_version"]


def test_a_prompt_with_another_rule_for_markers(cases, monkeypatch, tmp_path):
    """No suite asks a model, so this one alone falls by another hand: a question that the site refuses no more."""
    cases("refusal", {"question": CHARGE, "category": "commercial"})
    assert judged("refusal")
    for path in prompts._FOLDER.glob("*.txt"):
        text = path.read_text(encoding="utf-8")
        (tmp_path / path.name).write_text(text.replace("[1]", "(1)"), encoding="utf-8")
    monkeypatch.setattr(prompts, "_FOLDER", tmp_path)
    prompts.version.cache_clear()
    monkeypatch.setattr(refusal, "check", lambda *_, **__: None)
    try:
        assert not judged("refusal")
    finally:
        monkeypatch.undo()
        prompts.version.cache_clear()
    assert "prompt_version" in named()
