import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import guardrails
from guardrails.leak import REDACTED


def run(command, lines, *more):
    return subprocess.run(
        [sys.executable, "-m", "guardrails", command, *more],
        input=lines,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


def answers(command, *objects):
    done = run(command, "".join(json.dumps(each) + "\n" for each in objects))
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_refuse_answers_in_order_with_ids():
    owner = {"name": "Maya Lind", "aliases": ["Maya"]}
    found = answers(
        "refuse",
        {"id": "a", "question": "How much does Maya charge?", "owner": owner, "lang": "en"},
        {"id": 2, "question": "What are Maya's skills?", "owner": owner},
        {"id": 3, "question": "Why is the sky blue?", "lang": "de"},
        {"id": 4, "question": "and how much?", "previous": "Do you do audits?"},
    )
    assert found == [
        {"id": "a", "refused": True, "category": "commercial", "language": "en", "route": "refusal"},
        {"id": 2, "refused": False, "category": None, "language": "en", "route": "records"},
        {"id": 3, "refused": False, "category": None, "language": "de", "route": "search"},
        {"id": 4, "refused": True, "category": "commercial", "language": "en", "route": "refusal"},
    ]


def test_words():
    (found,) = answers("words", {"id": 1, "lang": "en", "text": "The ledger of Ação"})
    assert found == {"id": 1, "words": ["the", "ledger", "of", "acao"], "content_words": ["ledger", "acao"]}


def test_a_malformed_line_is_answered_and_the_run_goes_on():
    good = json.dumps({"id": 9, "lang": "en", "text": "queue"})
    bad = [
        '{"id": 1',
        "[]",
        '{"id": 2, "lang": "en"}',
        '{"id": 3, "lang": "xx", "text": "a"}',
        '{"id": 4, "lang": 5, "text": ""}',
    ]
    done = run("words", "\n".join([*bad, "", good]))
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert [each["id"] for each in found] == [None, None, 2, 3, 4, 9]
    assert ["error" in each for each in found] == [True] * 5 + [False]


@pytest.mark.parametrize("command", ["nonsense", "--help"])
def test_an_unknown_command_shows_the_usage(command):
    done = run(command, "")
    assert done.returncode == 2
    assert "usage" in done.stderr


def test_check_reports_each_file():
    done = run("check", "", "en")
    assert done.returncode == 0
    assert done.stdout.endswith("patterns, 0 failures\n")


def test_leak_works_copied_out_alone_and_needs_no_library(tmp_path):
    """Isolated: neither this checkout nor any installed package can be imported."""
    shutil.copytree(Path(guardrails.__file__).parent, tmp_path / "guardrails")
    start = f"import runpy, sys; sys.path.insert(0, {str(tmp_path)!r}); sys.argv[1:] = ['leak']; "
    lines = [
        {"id": 1, "text": "O CPF dela é 529.982.247-25."},
        {"id": 2, "text": "手机13812345678，欢迎来电咨询有关地图的事情。", "allowed": []},
        {"id": 3, "text": "Write to a@b.org about maps.", "allowed": ["A@b.org"]},
    ]
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", start + "runpy.run_module('guardrails', run_name='__main__')"],
        input="".join(json.dumps(line) + "\n" for line in lines),
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    answered = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(each["id"], each["action"]) for each in answered] == [(1, "block"), (2, "redact"), (3, "pass")]
    assert answered[1]["text"] == f"手机{REDACTED}，欢迎来电咨询有关地图的事情。"
