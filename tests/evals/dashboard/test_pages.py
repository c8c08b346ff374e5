"""The pages, as those who may see them get them."""

import csv
import io
import json

import pytest
from celery import Task
from django.contrib.auth.models import Group, User
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape
from kombu.exceptions import OperationalError

from assistant.models import Conversation, Floor, Turn
from evals import baseline, golden
from evals.dashboard.pages import IN_FULL
from evals.golden import RefusalCase
from evals.ground import Ground
from evals.models import Calibration, CaseResult, Run

pytestmark = pytest.mark.django_db


def signed_in(client, role):
    user = User.objects.create_user(role, password="x", is_staff=True)  # a test's
    user.groups.add(Group.objects.get(name=role))
    client.force_login(user)
    return client


@pytest.fixture
def owner(client):
    return signed_in(client, "owner")


def run(*, passed, detail, code="aaa"):
    made = Run.objects.create(
        suite="refusal", language="fa", golden_hash="g", corpus="c", code_version=code, passed=passed,
        figures={"refused": {"value": 1.0 if passed else 0.5, "n": 2, "against": []}, "empty": {"value": None, "n": 0}},
    )  # fmt: skip
    CaseResult.objects.create(run=made, case="fa-ref-001", passed=passed, detail=detail)
    return made


def calibration(**values):
    now = Ground.now()
    point = {
        "case": "en-1",
        "language": "en",
        "question": "<b>Why?</b>",
        "split": "holdout",
        "dense": 0.4,
        "words": 0.0,
    }
    points = [{**point, "should_pass": True}, {**point, "case": "en-2", "dense": None, "should_pass": False}]
    ground = {"embedder": "e", "space": now.space, "corpus": now.corpus}
    return Calibration.objects.create(points=points, **{"dense": 0.3, "words": 0.5, **ground, **values})


def test_the_board_names_the_change_that_broke_persian_refusals(owner):
    run(passed=True, detail={})
    run(passed=False, detail={}, code="bbb")
    shown = owner.get("/admin/evals/run/").content.decode()
    assert "What does not hold" in shown
    assert "refusal · Persian" in shown
    assert "<code><bdi>aaa</bdi></code> → <code><bdi>bbb</bdi></code>" in shown
    assert "NaN" not in shown


def test_a_suite_in_one_language_has_a_table_of_its_runs_and_the_board_leads_there(owner):
    runs = [run(passed=True, detail={}), run(passed=False, detail={}, code="bbb")]
    addresses = [reverse("admin:evals_run_change", args=[made.pk]) for made in runs]
    board = owner.get("/admin/evals/run/").content.decode()
    assert 'href="?suite=refusal&amp;language=fa"' in board
    assert addresses[0] not in board.split("All suites")[1]
    alone = owner.get("/admin/evals/run/?suite=refusal&language=fa").content.decode()
    assert all(address in alone.split("All suites")[1] for address in addresses)


def test_an_empty_board_says_how_a_run_is_made(owner):
    assert "manage.py evaluate" in owner.get("/admin/evals/run/").content.decode()


def test_a_run_stands_beside_the_one_before(owner):
    run(passed=True, detail={"refused": True})
    later = run(passed=False, detail={"refused": "<script>"})
    shown = owner.get(f"/admin/evals/run/{later.pk}/").content.decode()
    assert "broke" in shown
    assert "&lt;script&gt;" in shown
    assert "<script>" not in shown.replace("<script src=", "")


@pytest.mark.parametrize("beside", ["abc", "999999", "-1", ""])
def test_a_run_that_is_not_there_is_not_compared_with(owner, beside):
    later = run(passed=True, detail={})
    assert owner.get(f"/admin/evals/run/{later.pk}/?with={beside}").status_code == 200
    assert owner.get("/admin/evals/run/123456/").status_code == 404


def test_a_first_run_shows_what_failed_and_what_it_asked(owner):
    run(passed=False, detail={"refusal": "speculation"})
    asked = next(case for case in golden.load(RefusalCase, "refusal", "fa") if case.id == "fa-ref-001").question
    shown = owner.get(f"/admin/evals/run/{Run.objects.get().pk}/").content.decode()
    assert "speculation" in shown
    assert escape(asked.replace("{owner}", "")) in shown
    assert escape(asked.replace("{owner}", "")) in owner.get("/admin/evals/run/case/fa-ref-001/").content.decode()


def test_a_committed_figure_stands_beside_a_run_on_its_own_ground_alone(owner):
    known = baseline.read()
    figures = {"recall_at_5": {"value": 1.0, "n": 2, "against": []}}
    ground = {name: known[name] for name in ("embedder", "space", "corpus")} | {"golden_hash": known["golden"]["fa"]}
    for corpus, is_beside in ((ground["corpus"], True), ("another", False)):
        made = Run.objects.create(
            suite="answerable", language="fa", figures=figures, passed=True, **{**ground, "corpus": corpus}
        )
        assert ("not to get worse" in owner.get(f"/admin/evals/run/{made.pk}/").content.decode()) is is_beside


def test_a_case_has_a_page_of_all_its_runs(owner):
    run(passed=True, detail={"category": "private"})
    shown = owner.get("/admin/evals/run/case/fa-ref-001/").content.decode()
    assert "private" in shown
    assert "No run knows this case" in owner.get("/admin/evals/run/case/nothing/").content.decode()


def test_what_is_shown_can_be_had_as_csv_with_what_a_case_gave_as_json(owner):
    run(passed=True, detail={"said": "=1+1", "wanted": None, "words": "«گفت»"})
    answer = owner.get("/admin/evals/run/export.csv?suite=refusal")
    (row,) = csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode("utf-8-sig")))
    assert row["case"] == "fa-ref-001"
    assert json.loads(row["detail"]) == {"said": "=1+1", "wanted": None, "words": "«گفت»"}
    assert "گفت" in row["detail"]


def test_a_comparison_of_many_cases_shows_those_that_broke_and_names_the_rest(owner):
    earlier, later = run(passed=True, detail={}), run(passed=True, detail={"rank": 2})
    for made, passed in ((earlier, True), (later, False)):
        CaseResult.objects.create(run=made, case="broken", passed=passed)
        for number in range(IN_FULL):
            CaseResult.objects.create(run=made, case=f"other-{number:03}", passed=True, detail={"run": made.pk})
            CaseResult.objects.create(run=made, case=f"same-{number:03}", passed=True)
    shown = owner.get(f"/admin/evals/run/{later.pk}/").content.decode()
    assert shown.count('<details class="pair"') == IN_FULL
    assert shown.index("broken") < shown.index("other-000")
    for name in ("fa-ref-001", f"other-{IN_FULL - 1:03}", "same-000"):
        assert reverse("admin:evals_run_case", args=[name]) in shown


def test_a_calibration_is_shown_as_a_picture_and_put_in_force(owner):
    made = calibration()
    shown = owner.get(f"/admin/evals/calibration/{made.pk}/").content.decode()
    assert "<polyline" in shown
    assert "&lt;b&gt;Why?&lt;/b&gt;" in shown
    assert "uncalibrated" in shown
    owner.post(f"/admin/evals/calibration/{made.pk}/apply/")
    floor = Floor.objects.get()
    assert (floor.dense, floor.words) == (0.3, 0.5)
    assert floor.set_by.username == "owner"


def test_a_calibration_shows_what_its_floors_would_change(owner):
    Floor.objects.create(dense=0.9, words=0.9, space="s", corpus="c")
    shown = owner.get(f"/admin/evals/calibration/{calibration().pk}/").content.decode()
    assert "stopped 1.00 of 1 without an answer here, passed 1.00 of 1 with one" in shown
    assert "The floors in force: stopped 1.00, passed 0.00 of the same." in shown


def test_questions_at_the_edge_are_read_by_pointing_at_them_or_by_tab(owner):
    shown = owner.get(f"/admin/evals/calibration/{calibration().pk}/").content.decode()
    drawing = shown.split('class="chart edge"')[1].split("</svg>")[0]
    assert drawing.count('tabindex="0"') == drawing.count('class="told"') == 2
    assert 'aria-label="&lt;b&gt;Why?&lt;/b&gt; · has an answer' in drawing
    assert reverse("admin:evals_run_case", args=["en-1"]) in shown


def test_a_calibration_that_is_not_there_can_not_be_applied(owner):
    assert owner.post("/admin/evals/calibration/123456/apply/").status_code == 404


def test_a_calibration_that_can_not_be_queued_says_so(owner, monkeypatch):
    def unreachable(*_args, **_kwargs):
        raise OperationalError("Connection refused")

    monkeypatch.setattr(Task, "apply_async", unreachable)  # Celery's own, as it fails without a broker
    shown = owner.post("/admin/evals/calibration/new/", follow=True).content.decode()
    assert "Nothing was begun" in shown
    assert "are being asked" not in shown


def test_what_stands_against_a_calibration_needs_a_reason(owner):
    made = calibration(against=["en: too little"])
    owner.post(f"/admin/evals/calibration/{made.pk}/apply/", {"reason": "  "})
    assert Floor.objects.count() == 0
    owner.post(f"/admin/evals/calibration/{made.pk}/apply/", {"reason": "a launch"})
    assert Floor.objects.get().reason == "a launch"


def test_what_stands_against_a_calibration_is_told_in_the_readers_language(owner):
    objection = {"text": "Overview questions that do not get their records: %(cases)s", "values": {"cases": "en-1"}}
    address = f"/admin/evals/calibration/{calibration(against=[objection, 'as it was kept before']).pk}/"
    page = owner.get(address, headers={"Accept-Language": "de"}).content.decode()
    assert "Überblicksfragen, die ihre Einträge nicht erhalten: en-1" in page
    assert "as it was kept before" in page


def test_a_calibration_of_another_corpus_can_not_be_applied(owner):
    made = calibration(corpus="another")
    assert "calibrate again" in owner.get(f"/admin/evals/calibration/{made.pk}/").content.decode()
    owner.post(f"/admin/evals/calibration/{made.pk}/apply/")
    assert Floor.objects.count() == 0


@pytest.mark.parametrize(("corpus", "state"), [("", "uncalibrated"), ("another", "stale")])
def test_every_page_that_shows_floors_says_that_they_are_not_calibrated(owner, corpus, state):
    made = calibration()
    if corpus:
        Floor.objects.create(dense=0.3, words=0.5, space=made.space, corpus=corpus)
    turn = Turn.objects.create(
        conversation=Conversation.objects.create(language="en"), ordinal=1, question="Why?", language="en",
        deadline=timezone.now(), trace={"floor": {"dense": 0.3, "words": 0.5}},
    )  # fmt: skip
    pages = ("evals/run", "evals/calibration", f"evals/calibration/{made.pk}", f"assistant/turn/{turn.pk}/change")
    for page in pages:
        assert state in owner.get(f"/admin/{page}/").content.decode()


@pytest.mark.parametrize("role", ["editor", "reviewer"])
def test_others_look_and_change_nothing(client, role):
    signed_in(client, role)
    made = calibration()
    assert client.get("/admin/evals/run/").status_code == 200
    shown = client.get(f"/admin/evals/calibration/{made.pk}/").content.decode()
    assert "Put these floors in force" not in shown
    assert client.post(f"/admin/evals/calibration/{made.pk}/apply/").status_code == 403
    assert client.post("/admin/evals/calibration/new/").status_code == 403
    assert Floor.objects.count() == 0


def test_visitors_see_none_of_it(client):
    for place in ("", "guards/", "export.csv", "case/x/"):
        assert client.get(f"/admin/evals/run/{place}").status_code == 302


@pytest.mark.parametrize("language", ["fa", "zh"])
def test_the_pages_speak_the_owners_language(owner, language):
    run(passed=False, detail={})
    for place in ("run/", "run/guards/", "calibration/"):
        answer = owner.get(f"/admin/evals/{place}", headers={"Accept-Language": language})
        assert answer.status_code == 200
