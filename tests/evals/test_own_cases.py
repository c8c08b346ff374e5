"""A visitor's question becomes a golden case with one press, its suite asks it, and it leaves with the visitor."""

import asyncio
from datetime import date, timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from assistant.models import Conversation, Turn
from assistant.providers.quoting import Quoting
from assistant.question import Question
from assistant.turn import answer
from evals import golden, own_cases, runs
from evals.ground import Ground
from evals.models import CaseResult, OwnCase, Run
from evals.suites import SUITES
from records.models import Record, RecordText, RecordVersion
from records.publishing import publish
from tests.evals import site
from tests.records.desk import sign_in

pytestmark = pytest.mark.django_db(transaction=True)

GATE = "The lock gate at Pell Weir was hung anew in the summer of 2019. Its hinges are of bronze."
BATTERY = "How many days did the battery of the tide gauge at Holm Quay last?"


@pytest.fixture
def turn():
    return Turn.objects.create(
        conversation=Conversation.objects.create(language="en"),
        ordinal=1,
        question=BATTERY,
        language="en",
        refusal="no_evidence",
        trace={"top": [{"record": "gauge", "passage": "p"}]},
        deadline=timezone.now() + timedelta(minutes=1),
    )


@pytest.fixture
def desk(client):
    client.force_login(User.objects.create_superuser("owner"))
    return client


def press(desk, turn, **button):
    return desk.post(reverse("admin:evals_owncase_make", args=[turn.pk]), button)


def results(suite: str) -> dict[str, bool]:
    ground = Ground.now()
    stored = runs.store(runs.run(ground, [SUITES[suite]], ["en"]), ground)
    return dict(CaseResult.objects.filter(run__in=stored, case__startswith="own-").values_list("case", "passed"))


def test_a_question_without_an_answer_is_a_case_after_one_press_and_its_suite_asks_it(desk, turn):
    site.build()
    page = desk.get(reverse("admin:assistant_turn_change", args=[turn.pk])).content.decode()
    assert f'formaction="{reverse("admin:evals_owncase_make", args=[turn.pk])}" name="suite" value="answerable"' in page
    press(desk, turn, suite="answerable", category="meta")
    case = OwnCase.objects.get()
    assert (case.question, case.language, case.category) == (BATTERY, "en", "")
    assert [record.slug for record in case.records.all()] == ["gauge"]
    assert results("answerable") == {case.case: True}
    press(desk, turn, suite="no_evidence")
    assert results("no_evidence") == {case.case: False}
    press(desk, turn, suite="refusal", category="commercial")
    assert results("refusal") == {case.case: False}


def test_a_visitors_words_are_for_whoever_may_read_turns_alone(client, desk, turn):
    press(desk, turn, suite="no_evidence")
    case, written = OwnCase.objects.get(), OwnCase.objects.create(suite="no_evidence", language="en", question="Hm?")
    run = Run.objects.create(suite="no_evidence", language="en", golden_hash="g", corpus="c", passed=False)
    CaseResult.objects.create(run=run, case=case.case, passed=False)
    places = ["run", f"run/{run.pk}", f"run/case/{case.case}", "owncase"]
    for role, may_read in (("editor", False), ("reviewer", True)):
        sign_in(client, role)
        read = [client.get(f"/admin/evals/{place}/").content.decode() for place in places]
        assert any(BATTERY in page for page in read) is may_read
        assert "Hm?" in read[-1]
        change = client.get(reverse("admin:evals_owncase_change", args=[case.pk]))
        assert (BATTERY in change.content.decode()) is may_read
        assert client.get(reverse("admin:evals_owncase_change", args=[written.pk])).status_code == 200


def test_the_admins_history_keeps_no_words_of_a_visitor(desk, turn):
    press(desk, turn, suite="no_evidence")
    address = reverse("admin:evals_owncase_change", args=[OwnCase.objects.get().pk])
    desk.post(address, {"question": BATTERY, "language": "en", "suite": "refusal", "category": "meta"})
    desk.post(address.replace("change", "delete"), {"post": "yes"})
    assert not OwnCase.objects.exists()
    assert LogEntry.objects.count() == 2
    assert not any(BATTERY in f"{entry.object_repr} {entry.change_message}" for entry in LogEntry.objects.all())


def test_a_case_goes_with_its_turn(desk, turn):
    press(desk, turn, suite="refusal", category="private")
    assert own_cases.load()
    turn.conversation.delete()
    assert own_cases.load() == {}


async def _ask(*questions: str) -> None:
    """As one visitor, one after the other."""
    conversation = None
    for question in questions:
        asked = Question(question, "en", conversation=conversation)
        async for _event in answer(asked, Quoting()):
            pass
        conversation = (await Turn.objects.select_related("conversation").aget(pk=asked.id)).conversation


class TestAFollowUp:
    @pytest.fixture
    def follow_up(self) -> Turn:
        """A position in the list of the answer before it."""
        site.build()
        gate = Record.objects.create(kind="article", slug="gate", start=date(2020, 1, 1), start_precision="year")
        RecordText.objects.create(record=gate, language="en", title="A lock gate in summer", body=GATE)
        publish(gate)
        asyncio.run(_ask("Which articles has Livia Aramesh written?", "Tell me more about the second one"))
        return Turn.objects.get(ordinal=2)

    def test_is_asked_as_it_was_asked(self, desk, follow_up):
        press(desk, follow_up, suite="answerable")
        [case] = own_cases.load()["answerable", "en"]
        [before] = case.previous
        assert before.question == "Which articles has Livia Aramesh written?"
        assert len(before.answer.splitlines()) >= 2
        OwnCase.objects.get().records.set(Record.objects.filter(slug="gate"))
        results("answerable")
        assert CaseResult.objects.get(case=case.id).detail["rank"] == 1  # the list's second item is found
        page = desk.get(reverse("admin:evals_owncase_change", args=[OwnCase.objects.get().pk])).content.decode()
        assert "Which articles has Livia Aramesh written?" in page
        assert "asked after" in page.lower()
        OwnCase.objects.update(turn=None)
        alone = desk.get(reverse("admin:evals_owncase_change", args=[OwnCase.objects.get().pk])).content.decode()
        assert "asked after" not in alone.lower()

    def test_asked_alone_would_find_nothing(self, desk, follow_up):
        press(desk, follow_up, suite="answerable")
        OwnCase.objects.get().records.set(Record.objects.filter(slug="gate"))
        OwnCase.objects.update(turn=None)
        results("answerable")
        assert CaseResult.objects.get(case=OwnCase.objects.get().case).detail["rank"] is None

    def test_is_not_asked_once_what_came_before_it_was_deleted(self, desk, follow_up):
        press(desk, follow_up, suite="answerable")
        Turn.objects.filter(ordinal=1).delete()
        assert OwnCase.objects.exists()
        assert own_cases.load() == {}

    def test_shows_nothing_of_an_answer_that_the_public_may_not_read_any_more(self, desk, follow_up):
        press(desk, follow_up, suite="answerable")
        Record.objects.filter(kind="article").update(access="private")
        RecordVersion.objects.filter(record__kind="article").update(access="private")
        [case] = own_cases.load()["answerable", "en"]
        assert case.previous[0].answer == ""


def test_own_cases_are_part_of_what_figures_belong_to(desk, turn):
    assert own_cases.fingerprint("en", own_cases.load()) == golden.fingerprint("en")
    press(desk, turn, suite="refusal", category="private")
    assert own_cases.fingerprint("en", own_cases.load()) != golden.fingerprint("en")
    assert own_cases.fingerprint("fa", own_cases.load()) == golden.fingerprint("fa")


@pytest.mark.parametrize("button", [{"suite": "refusal"}, {"suite": "refusal", "category": "rude"}, {"suite": "floor"}])
def test_a_button_that_is_none_makes_nothing(desk, turn, button):
    assert press(desk, turn, **button).status_code == 400
    assert not OwnCase.objects.exists()


def test_whoever_may_only_look_makes_no_case(client, turn):
    client.force_login(User.objects.create_user("reviewer", is_staff=True))
    assert press(client, turn, suite="no_evidence").status_code == 403
