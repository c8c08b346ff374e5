"""Golden files are read into typed cases, and a malformed line is named by file and line."""

import pytest

from evals import golden
from evals.golden import AnswerableCase, Expected, GoldenSetError, RefusalCase, Said
from evals.suites import SUITES


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A golden set of our own: one language, one file."""
    monkeypatch.setattr(golden, "FOLDER", tmp_path)
    (tmp_path / "en").mkdir()
    return tmp_path / "en"


def test_a_case_is_read_with_its_language(folder):
    (folder / "answerable.jsonl").write_text(
        '{"id": "en-a", "question": "q", "split": "tuning", "answers": [{"record": "r", "contains": "c"}]}\n'
    )
    case = AnswerableCase(
        id="en-a", language="en", question="q", split="tuning", answers=(Expected(record="r", contains="c"),)
    )
    assert golden.load(AnswerableCase, "answerable", "en") == (case,)


def test_a_question_before_it_may_stand_alone(folder):
    line = '{"id": "en-r", "question": "And a day?", "category": "commercial", "previous": "What is an hour?"}'
    (folder / "refusal.jsonl").write_text(line)
    [case] = golden.load(RefusalCase, "refusal", "en")
    assert case.previous == (Said(question="What is an hour?", answer=""),)
    assert golden.before(case) == ("What is an hour?",)


def test_a_language_without_a_suite_has_no_cases(folder):
    assert golden.load(RefusalCase, "refusal", "en") == ()
    assert golden.load(RefusalCase, "refusal", "fa") == ()


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '{"id": "en-1", "question": "q"}',
        '{"id": "en-1", "question": "q", "category": "rude"}',
        '{"id": "en-1", "question": "q", "category": "task", "categry": "task"}',
    ],
    ids=["no JSON", "no object", "missing", "unknown value", "unknown key"],
)
def test_a_malformed_line_is_named(folder, line):
    good = '{"id": "en-0", "question": "q", "category": "task"}'
    (folder / "refusal.jsonl").write_text(f"{good}\n{line}\n")
    with pytest.raises(GoldenSetError, match=r"^refusal\.jsonl of en, line 2: "):
        golden.load(RefusalCase, "refusal", "en")


def test_the_fingerprint_changes_with_a_case_and_with_nothing_else(folder):
    path = folder / "refusal.jsonl"
    path.write_text('{"id": "en-0", "question": "q", "category": "task"}\n')
    before = golden.fingerprint("en")
    assert golden.fingerprint("en") == before
    path.write_text('{"id": "en-0", "question": "Q", "category": "task"}\n')
    assert golden.fingerprint("en") != before


def test_every_golden_file_has_a_suite():
    named = {path.stem for path in golden.FOLDER.glob("*/*.jsonl")}
    assert named <= set(SUITES)
