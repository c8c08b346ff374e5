"""`manage.py ask`: the contract's lines out, one question or JSON lines in."""

import io
import json

import pytest
from django.core.management import call_command

from assistant.models import Turn
from metering.models import Reservation

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site")]

QUESTION = "How many days did the battery of the tide gauge at Holm Quay last?"


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command("ask", *arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def on_stdin(monkeypatch):
    """Feed lines to the command; returns its exit status and what it printed."""

    def feed(*lines: object, arguments: tuple[str, ...] = ("--json",)) -> tuple[int, list[dict]]:
        written = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(written.encode())))
        out = io.StringIO()
        status = 0
        try:
            call_command("ask", "--stdin", *arguments, stdout=out)
        except SystemExit as stop:
            status = int(stop.code or 0)
        return status, [json.loads(line) for line in out.getvalue().splitlines()]

    return feed


def test_an_answer_is_lines_of_the_contract(on_stdin):
    status, events = on_stdin({"id": "q7", "question": QUESTION, "lang": "en"})
    assert status == 0
    assert {event["id"] for event in events} == {"q7"}
    *sentences, done = events
    assert set(sentences[0]) == {"id", "event", "text", "lang", "sources"}
    assert set(sentences[0]["sources"][0]) == {
        "record", "kind", "title", "version", "passage", "start", "end", "url",
    }  # fmt: skip
    assert set(done) == {
        "id", "event", "route", "model_called", "embedded", "best", "floor", "top", "stop", "cost_microusd", "ms",
        "conversation",
    }  # fmt: skip
    assert set(done["best"]) == set(done["floor"]) == {"dense", "words"}
    assert set(done["top"][0]) == {"passage", "record", "dense", "words"}
    assert done["top"][0]["record"] == "gauge"


def test_nothing_is_stored_and_what_was_held_is_given_back(on_stdin):
    on_stdin({"question": QUESTION})
    assert not Turn.objects.exists()
    assert not Reservation.objects.filter(state="held").exists()


def test_lines_are_answered_in_order_with_their_ids(on_stdin):
    _, events = on_stdin(
        {"id": 1, "question": "How much do you charge?"}, {"id": {"a": 2}, "question": QUESTION}, {"question": ""}
    )
    ids = [event["id"] for event in events if event["event"] == "done"]
    assert ids == [1, {"a": 2}, None]


def test_the_same_id_twice_is_two_questions(on_stdin):
    _, events = on_stdin({"id": 1, "question": QUESTION}, {"id": 1, "question": "How much do you charge?"})
    assert [event["event"] for event in events][-2:] == ["refusal", "done"]


def test_the_question_before_is_brought_along(on_stdin):
    before = {"question": QUESTION, "answer": "Its battery lasted 412 days in the winter of 2021."}
    _, events = on_stdin(
        {"id": "alone", "question": "And who repaired it?"},
        {"id": "joined", "question": "And who repaired it?", "previous": [before]},
    )
    words = {event["id"]: event["best"]["words"] or 0 for event in events if event["event"] == "done"}
    assert words["joined"] > words["alone"]


def test_retrieval_only_prints_done_alone_whatever_the_first_layer_says(on_stdin):
    _, events = on_stdin(
        {"question": QUESTION}, {"question": "How much do you charge?"}, {"question": "What did she do recently?"},
        arguments=("--retrieval-only",),
    )  # fmt: skip
    assert [event["event"] for event in events] == ["done"] * 3
    assert [event["route"] for event in events] == ["search", "refusal", "records"]
    assert all(event["top"] for event in events[:1])
    assert not any(event["model_called"] for event in events)


@pytest.mark.parametrize("line", ["{", "[]", "7", '{"question": 7}', '{"question": "x", "previous": "y"}', "\x00"])
def test_a_line_that_is_no_question_is_told_so_and_the_run_goes_on(on_stdin, line):
    status, events = on_stdin(line, {"id": 2, "question": QUESTION})
    assert (events[0]["event"], events[0]["reason"]) == ("notice", "invalid")
    assert events[1]["event"] == "done"
    assert events[-1]["id"] == 2
    assert status == 1


@pytest.mark.parametrize(
    ("previous", "named"),
    [("y", "previous: "), ([{"answer": "a"}], "previous.0.question: "), ([{"question": 7}], "previous.0.question: ")],
)
def test_the_field_that_is_wrong_is_named_and_no_page_is_spoken_of(on_stdin, previous, named):
    _, [notice, _done] = on_stdin({"id": 1, "question": "SECRET", "previous": previous})
    assert (notice["id"], notice["reason"]) == (1, "invalid")
    assert named in notice["text"]
    assert "page" not in notice["text"]
    assert "SECRET" not in notice["text"]


def test_blank_lines_are_nothing(on_stdin):
    assert on_stdin("", "  ") == (0, [])


def test_a_question_on_the_command_line_is_answered_in_plain_text():
    printed = run(QUESTION, "--lang", "en")
    assert "412 days" in printed
    assert "A tide gauge in winter  /passages/" in printed
    assert "{" not in printed


def test_a_refusal_is_printed_with_its_reason():
    assert run("How much do you charge?").startswith("[commercial] ")


def test_the_language_of_the_line_wins_over_the_option(on_stdin):
    _, events = on_stdin({"question": "x", "lang": "en"}, {"question": "x"}, arguments=("--json", "--lang", "xx"))
    assert events[0]["event"] != "notice"
    assert events[-2]["reason"] == "invalid"


@pytest.mark.parametrize("arguments", [("x", "--stdin"), ()])
def test_exactly_one_of_question_and_stdin_is_given(arguments):
    with pytest.raises(SystemExit) as stop:
        call_command("ask", *arguments)
    assert stop.value.code == 2
