"""What visitors wrote is deleted in time; figures and money stay; and a kill in the middle changes neither."""

import os
import signal
import subprocess
import sys
import time
import uuid
from datetime import timedelta

import pytest
from axes.models import AccessLog
from django.contrib.sessions.models import Session
from django.db.models import Sum
from django.utils import timezone

from assistant import journal, retention, tasks
from assistant.models import (
    ActionProposal,
    Citation,
    Conversation,
    DayFigure,
    GuardrailEvent,
    Sentence,
    Turn,
)
from assistant.question import Question
from metering import ledger
from metering.models import Reservation
from metering.prices import Usage
from records.models import RecordVersion
from tests.assistant.live_site import ROOT, database_of_this_run

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def conversation(age: timedelta, turns: int = 1, **values) -> Conversation:
    """A conversation whose last question is `age` old, each before it a day older."""
    made = Conversation.objects.create(language="en")
    now = timezone.now()
    for ordinal in range(1, turns + 1):
        turn = Turn.objects.create(
            id=uuid.uuid4(), conversation=made, ordinal=ordinal, question="?", language="en", state="done",
            deadline=now, **{"route": "search", **values},
        )  # fmt: skip
        Turn.objects.filter(pk=turn.pk).update(created_at=now - age - (turns - ordinal) * DAY)
        for place in (Sentence.LEAD_IN, 1, 2):
            Sentence.objects.create(turn=turn, ordinal=place, text="A sentence.", language="en")
        GuardrailEvent.objects.create(turn=turn, guard="value")
        ActionProposal.objects.create(turn=turn, name="leave_message")
    Conversation.objects.filter(pk=made.pk).update(last_turn_at=now - age)
    return made


def figures(**where) -> dict[tuple[str, str], int]:
    found = DayFigure.objects.filter(**where).values_list("kind", "name").annotate(total=Sum("count"))
    return {(kind, name): total for kind, name, total in found}


def test_what_is_younger_stays_and_what_is_older_goes_with_all_below_it(settings):
    settings.TRAVA = settings.TRAVA.model_copy(update={"RETENTION_DAYS": 30})
    old, young = conversation(30 * DAY + timedelta(minutes=1)), conversation(30 * DAY - timedelta(minutes=1))
    assert retention.erase_expired(60) == 1
    assert list(Conversation.objects.all()) == [young]
    for model in (Turn, Sentence, GuardrailEvent, ActionProposal):
        path = "conversation" if model is Turn else "turn__conversation"
        assert not model.objects.filter(**{path: old.pk}).exists()
        assert model.objects.filter(**{path: young.pk}).exists()


def test_the_first_questions_of_a_conversation_that_goes_on_go_too():
    lasting = conversation(timedelta(hours=1), turns=100)
    assert retention.erase_expired(60) == 10
    assert [turn.ordinal for turn in lasting.turns.all()] == list(range(11, 101))


def test_a_conversation_without_a_question_goes_as_well():
    conversation(100 * DAY, turns=0)
    retention.erase_expired(60)
    assert not Conversation.objects.exists()


@pytest.mark.usefixtures("small_site")
@pytest.mark.django_db(transaction=True)
def test_a_cited_version_stays():
    conversation(100 * DAY)
    Citation.objects.create(sentence=Sentence.objects.get(ordinal=1), ordinal=1, version=RecordVersion.objects.get())
    retention.erase_expired(60)
    assert (Citation.objects.count(), RecordVersion.objects.count()) == (0, 1)


def test_a_question_in_a_conversation_that_is_deleted_meanwhile_begins_another():
    gone = conversation(100 * DAY)
    question = Question("What did she do recently?", "en", conversation=Conversation.objects.get(pk=gone.pk))
    retention.erase_expired(60)
    turn = journal.begin(question, question.text, "en")
    assert (turn.ordinal, turn.conversation_id == gone.pk) == (1, False)


def test_figures_are_kept_by_the_owners_day_and_add_up():
    conversation(100 * DAY, notice="withheld", stop="value")
    conversation(100 * DAY, route="refusal", refusal="commercial")
    retention.erase_expired(60)
    day = timezone.localdate(timezone.now() - 100 * DAY)
    assert figures(day=day, language="en") == {
        ("turns", ""): 2,
        ("sentences", ""): 4,  # without the lead-ins, which are ours
        ("route", "search"): 1,
        ("route", "refusal"): 1,
        ("refusal", "commercial"): 1,
        ("notice", "withheld"): 1,
        ("stop", "value"): 1,
        ("guard", "value"): 2,
    }
    conversation(100 * DAY)
    retention.erase_expired(60)
    assert figures(day=day)[("turns", "")] == 3


def test_a_second_run_does_nothing():
    conversation(100 * DAY, turns=3)
    assert [retention.erase_expired(60), retention.erase_expired(60)] == [3, 0]
    assert figures()[("turns", "")] == 3


def test_no_batch_is_begun_after_the_time_is_up():
    conversation(100 * DAY)
    assert retention.erase_expired(0) == 0
    assert Turn.objects.count() == 1


def test_the_money_stays():
    talk = conversation(100 * DAY)
    held = ledger.reserve(5, purpose="answer", subject=str(talk.turns.get().pk), seconds=60)
    ledger.settle(held.pk, Usage(model="quoting", input_tokens=1, output_tokens=1))
    retention.erase_expired(60)
    assert Reservation.objects.get().charges.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_process_that_is_killed_has_lost_no_figure_and_counted_none_twice():
    total = 60
    conversation(100 * DAY, turns=total)
    code = "from assistant import retention; retention.BATCH = 1; retention.erase_expired(60)"
    process = subprocess.Popen(
        [sys.executable, "-c", f"import django; django.setup(); {code}"],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": database_of_this_run(), "DJANGO_SETTINGS_MODULE": "config.settings"},
    )
    end = time.monotonic() + 60
    while Turn.objects.count() > total - 5 and time.monotonic() < end:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait(20)
    left = Turn.objects.count()
    assert 0 < left < total
    assert figures()[("turns", "")] == total - left
    retention.erase_expired(60)
    assert (Turn.objects.count(), figures()[("turns", "")], figures()[("guard", "value")]) == (0, total, total)


def test_sessions_that_are_over_and_old_logins_go_and_the_others_stay():
    now = timezone.now()
    Session.objects.create(session_key="over", session_data="", expire_date=now - DAY)
    Session.objects.create(session_key="open", session_data="", expire_date=now + DAY)
    for age in (1, 100):
        login = AccessLog.objects.create(username=f"{age} days ago", path_info="/admin/login/")
        AccessLog.objects.filter(pk=login.pk).update(attempt_time=now - age * DAY)
    tasks.clear_sessions()
    assert [session.session_key for session in Session.objects.all()] == ["open"]
    assert [login.username for login in AccessLog.objects.all()] == ["1 days ago"]


def test_beat_plans_both(settings):
    planned = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert {"assistant.tasks.erase_expired", "assistant.tasks.clear_sessions"} <= planned
