"""A rehearsal tells what publishing does, with the real search and embedder, and leaves nothing behind."""

import asyncio
import threading
import time
from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connections, transaction

from assistant.database import in_database, own_thread
from assistant.events import Released
from assistant.models import Citation, Conversation, Turn
from assistant.question import Question
from assistant.turn import answer
from evals import golden
from evals.asking import TurnFailed
from evals.before_publishing import affected, rehearsing, trial
from evals.before_publishing.models import QuestionVector, Rehearsal
from evals.models import OwnCase
from metering.models import Reservation
from records import ingestion, rehearsal
from records.embedding import knowing_questions
from records.models import OutboxEvent, Owner, Record, RecordText, RecordVersion, SearchEntry
from records.publishing import publish, withdraw
from tests.evals import site
from tests.records.drafts import ask

pytestmark = pytest.mark.django_db(transaction=True)

BATTERY = "How many days did the battery of the tide gauge at Holm Quay last?"
LASTED = {"record": "gauge", "contains": "battery lasted 412 days in the winter"}
FERRY = "The cable ferry of Holm Quay was built in 1931 and carries nine cars at each crossing."
CARRIES = {"record": "ferry", "contains": "carries nine cars at each crossing"}
NINE = "How many cars does the cable ferry of Holm Quay carry at each crossing?"
OLIVES = "How are olives cured?"


@pytest.fixture(autouse=True)
def _site(tmp_path, monkeypatch):
    """A site, embedded as published, and a few golden cases about it."""
    monkeypatch.setattr(golden, "FOLDER", tmp_path)
    site.build()
    ingestion.work(seconds=60)
    answerable = [
        {"question": BATTERY, "split": "tuning", "answers": [LASTED]},
        {"question": NINE, "split": "tuning", "answers": [CARRIES]},
    ]
    site.write_cases(tmp_path, "answerable", answerable)
    (tmp_path / "en" / "no_evidence.jsonl").write_text(
        f'{{"id": "en-none", "question": "{OLIVES}", "split": "tuning"}}', encoding="utf-8"
    )


@pytest.fixture
def by():
    return User.objects.create_user("owner", is_staff=True)


def rewrite(body: str) -> Record:
    record = Record.objects.get(slug="gauge")
    text = record.texts.get()
    text.body = body
    text.save()
    return record


def ferry() -> Record:
    record = Record.objects.create(kind="article", slug="ferry")
    RecordText.objects.create(record=record, language="en", title="A ferry on a cable", body=FERRY)
    return record


def rehearsed(record: Record, by: User, act: str = "publish", others: Sequence[Record] = ()) -> Rehearsal:
    row = rehearsing.begin([record, *others], act, by)
    rehearsing.run(row.pk)
    row.refresh_from_db()
    return row


def verdicts(row: Rehearsal) -> dict[str, tuple[bool, bool]]:
    assert (row.state, row.error) == ("done", "")
    return {each["case"]: (each["passed_before"], each["passed_after"]) for each in row.results}


def everything() -> dict[str, int]:
    """How many rows there are of all that publishing and answering write; the ledger and the rehearsal apart."""
    counted = [*apps.get_app_config("records").get_models(), *apps.get_app_config("assistant").get_models()]
    return {model.__name__: model.objects.count() for model in counted if not model._meta.proxy}


def test_a_draft_that_drops_the_answer_makes_its_case_fail(by):
    row = rehearsed(rewrite("The tide gauge at Holm Quay was painted green."), by)
    assert verdicts(row)["en-1"] == (True, False)
    assert next(each for each in row.results if each["case"] == "en-1")["was"]["rank"] == 1
    assert next(each for each in row.results if each["case"] == "en-1")["now"]["known"] is False


def test_a_draft_that_answers_makes_its_case_pass_by_vector_too(by):
    row = rehearsed(ferry(), by)
    assert verdicts(row)["en-2"] == (False, True)
    assert row.chosen["expecting"] == 1


def test_what_the_site_suggests_is_always_asked(by):
    Owner.objects.update(questions={"en": [BATTERY], "de": ["Wie lange hielt die Batterie der Pegeluhr am Holm Quay?"]})
    row = rehearsed(Record.objects.get(slug="gauge"), by, "withdraw")
    assert row.chosen["suggested"] == 2
    assert verdicts(row)["suggested-en-1"] == (True, False)
    assert verdicts(rehearsed(ferry(), by))["suggested-en-1"] == (True, True)


def test_what_it_tells_is_what_publishing_then_does(by):
    record = ferry()
    told = {each["case"]: each["now"] for each in rehearsed(record, by).results}
    publish(record)
    ingestion.work(seconds=60)
    after = {each["case"]: each["was"] for each in rehearsed(record, by).results}
    assert told == after


def test_withdrawing_is_tried_out_as_well(by):
    row = rehearsed(Record.objects.get(slug="gauge"), by, "withdraw")
    assert verdicts(row)["en-1"] == (True, False)
    assert ask("battery of the tide gauge").hits


def test_nothing_of_it_stays_and_nobody_is_told(by, valkey):
    record = ferry()
    before, newest = everything(), SearchEntry.objects.latest("pk").pk
    verdicts(rehearsed(record, by))
    assert everything() == before
    assert SearchEntry.objects.latest("pk").pk == newest
    assert valkey.llen("celery") == 0
    assert not OutboxEvent.objects.filter(version__record=record).exists()
    assert not RecordVersion.objects.filter(record=record).exists()


def tried(record: Record, meanwhile) -> None:
    """Rehearse a publication of it, and do something elsewhere at each step, within the transaction."""

    def perform():
        rehearsal.perform(publish, [record], drafts)
        meanwhile()

    drafts = rehearsal.embed_drafts([record], lambda: None)
    site_here = trial.Site(None, embeds=True, own={})
    cases = affected.choose([record], drafts, site_here.asker(), lambda done, total: None).cases
    assert len(trial.compare(cases, site_here, perform, lambda done: None, lambda done: None)) == 3


def elsewhere(function) -> threading.Thread:
    """Begin it on another connection."""

    def run():
        try:
            function()
        finally:
            connections.close_all()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def until_one_waits_for_a_lock() -> None:
    """From within a transaction: until another connection to this database stands in line for what it holds."""
    end = time.monotonic() + 60
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    while time.monotonic() < end:
        with connections["default"].cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")  # within a transaction the view stands still
            cursor.execute(waiting)
            if cursor.fetchone() != (0,):
                return
        time.sleep(0.01)
    raise AssertionError("nobody waits")


def test_no_other_connection_ever_sees_the_draft():
    seen = []

    def look():
        seen.append([hit.record for hit in ask("cable ferry nine cars").hits])

    tried(ferry(), lambda: elsewhere(look).join())
    assert seen
    assert "ferry" not in {record for found in seen for record in found}


def test_a_visitor_is_answered_from_what_is_live_and_stored_meanwhile():
    """While the transaction holds the record, its versions and passages changed: nothing of it blocks a citation."""
    told = []

    async def ask_it() -> list[str]:
        events = [event async for event in answer(Question(BATTERY, "en"))]
        return [event.text for event in events if isinstance(event, Released)]

    def meanwhile():
        visitor = elsewhere(lambda: told.append(asyncio.run(ask_it())))
        visitor.join(30)
        assert not visitor.is_alive()

    tried(rewrite("The tide gauge at Holm Quay was painted green."), meanwhile)
    assert told
    assert all("412 days" in " ".join(said) for said in told)
    assert Citation.objects.filter(version__record__slug="gauge").exists()


def test_a_publication_in_between_waits_for_one_transaction_and_not_for_the_rehearsal(monkeypatch):
    """Chunk by chunk the locks are let go: whoever wants them meanwhile is served between two."""
    monkeypatch.setattr(trial, "CHUNK", 1)
    steps, served_at, others = [], [], []

    def take_away():
        with transaction.atomic():
            withdraw(Record.objects.get(slug="gauge"))
            served_at.append(len(steps))  # while it holds the lock: afterwards the rehearsal goes on

    def meanwhile():
        steps.append(1)
        if len(steps) == 1:
            others.append(elsewhere(take_away))  # it wants the lock that this transaction holds
            until_one_waits_for_a_lock()

    tried(ferry(), meanwhile)
    others[0].join()
    assert len(steps) == 3
    assert served_at[0] < 3


def test_questions_are_embedded_outside_the_transactions_and_golden_ones_once(by):
    record = ferry()
    rehearsed(record, by)
    assert QuestionVector.objects.count() == 2  # all but the one that expects the record
    before = Reservation.objects.filter(purpose="embedding", subject="rehearsal").count()
    rehearsed(record, by)
    assert Reservation.objects.filter(purpose="embedding", subject="rehearsal").count() == before
    assert not Reservation.objects.filter(state="held").exists()


def test_an_own_case_is_asked_and_its_vector_is_not_kept(by):
    turn = Turn.objects.create(
        conversation=Conversation.objects.create(language="en"), ordinal=1, question=NINE, language="en",
        deadline=rehearsing.timezone.now(),
    )  # fmt: skip
    own = OwnCase.objects.create(suite="no_evidence", language="en", question=NINE, turn=turn)
    row = rehearsed(ferry(), by)
    assert verdicts(row)[own.case] == (True, False)
    assert NINE not in str(row.results)
    assert QuestionVector.objects.count() == 2


def test_no_model_is_called_whatever_provider_is_set(by, settings):
    settings.TRAVA = settings.TRAVA.model_copy(
        update={"LLM_PROVIDER": "openai", "LLM_BASE_URL": "http://127.0.0.1:9/v1", "LLM_MODEL": "m"}
    )
    assert verdicts(rehearsed(ferry(), by))["en-2"] == (False, True)


def test_without_an_embedder_it_goes_by_keyword_and_says_so(by, settings):
    settings.TRAVA = settings.TRAVA.model_copy(update={"EMBEDDER": "none"})
    row = rehearsed(ferry(), by)
    assert verdicts(row)["en-2"] == (False, True)
    assert row.chosen["near"] is False


def test_records_chosen_together_are_tried_out_together(by):
    row = rehearsed(rewrite("The tide gauge at Holm Quay was painted green."), by, others=[ferry()])
    assert verdicts(row)["en-1"] == (True, False)
    assert verdicts(row)["en-2"] == (False, True)
    assert row.chosen["expecting"] == 2
    assert not rehearsing.is_stale(row)
    Record.objects.get(slug="ferry").texts.get().save()
    assert rehearsing.is_stale(row)
    assert not RecordVersion.objects.filter(record__slug="ferry").exists()


def test_a_rehearsal_that_was_replaced_keeps_nothing(by):
    first = rehearsing.begin([ferry()], "publish", by)
    second = rehearsing.begin([first.record], "publish", by)
    rehearsing.run(first.pk)
    assert list(Rehearsal.objects.values_list("pk", "state")) == [(second.pk, "waiting")]


def test_what_breaks_it_is_told_in_its_row(by):
    (golden.FOLDER / "en" / "routing.jsonl").write_text("no JSON", encoding="utf-8")
    row = rehearsed(ferry(), by)
    assert row.state == "failed"
    assert "routing.jsonl of en, line 1" in row.error


def test_it_goes_stale_with_the_draft_and_silent_without_a_worker(by):
    record = ferry()
    row = rehearsed(record, by)
    assert not rehearsing.is_stale(row)
    record.texts.get().save()
    assert rehearsing.is_stale(row)
    waiting = rehearsing.begin([record], "publish", by)
    assert not rehearsing.is_silent(waiting)
    waiting.updated_at -= rehearsing.SILENT + timedelta(seconds=1)
    assert rehearsing.is_silent(waiting)


async def test_the_ledger_books_on_a_connection_of_its_own(by):
    """What a turn reserves inside a rehearsal's transaction outlives it; what is written of records does not."""
    suite, here = trial.SUITES["answerable"], trial.Site(None, embeds=True, own={})

    def write():
        transaction.on_commit(lambda: pytest.fail("nothing commits here"))
        Record.objects.create(kind="article", slug="never")

    with knowing_questions({}):
        async with own_thread():
            await suite.run(here.asker(), "en")
            booked = await Reservation.objects.filter(purpose="answer").acount()
            async with trial.rolled_back():
                await in_database(write)
                await suite.run(here.asker(), "en")
    assert await Reservation.objects.filter(purpose="answer").acount() == 2 * booked > 0
    assert not await Record.objects.filter(slug="never").aexists()


async def test_what_would_embed_inside_the_transaction_is_a_fault_and_not_a_lock(by):
    async with own_thread(), trial.rolled_back():
        with pytest.raises(TurnFailed):
            await trial.SUITES["answerable"].run(trial.Site(None, embeds=True, own={}).asker(), "en")
