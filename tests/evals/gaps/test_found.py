"""What counts as a gap, how it is counted, and what becomes of it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from assistant import own_data
from assistant.models import Feedback, Turn
from assistant.providers import NOT_COVERED
from evals.gaps import answered, found
from evals.gaps.found import State
from evals.gaps.unanswered import Reason
from evals.models import QuestionGroup
from records import ingestion
from records.models import Record, RecordText
from records.publishing import publish
from tests.assistant.scripted import WHOLE, Scripted
from tests.evals import site
from tests.evals.gaps.visitors import BATTERY, CHARGE, COLOUR, COLOUR_TOO, FARBE, TOMATOES, ask, group

pytestmark = pytest.mark.django_db(transaction=True)

BRIDGE = (
    "The Skerrin Bridge is painted dark green. Its colour was chosen in 1931 because the paint was cheap that year. "
    "The bridge was painted again in 2004, in the same colour."
)


@pytest.fixture(autouse=True)
def _published():
    site.build()
    ingestion.work(seconds=60)


def gaps(days: int = 30, language: str = "", state: State | None = State.OPEN) -> list[found.Gap]:
    return found.gaps(found.since(days), language, state)


def write_about_the_bridge() -> Record:
    record = Record.objects.create(kind="article", slug="bridge", start=timezone.localdate(), start_precision="day")
    RecordText.objects.create(record=record, language="en", title="The Skerrin Bridge", body=BRIDGE)
    publish(record)
    ingestion.work(seconds=60)
    return record


def test_a_gap_counts_its_questions_by_language_and_conversation():
    first = ask(COLOUR, days_ago=3)
    ask(COLOUR, conversation=first.conversation)
    ask(FARBE, "de", days_ago=1)
    ask(TOMATOES)
    group()
    bridge, tomatoes = gaps()
    assert (bridge.count, bridge.conversations, bridge.languages) == (3, 2, (("en", 2), ("de", 1)))
    assert {each.text for each in bridge.examples} == {COLOUR, FARBE}
    assert timezone.now() - bridge.first > timedelta(days=2) > timezone.now() - bridge.last
    assert (tomatoes.count, tomatoes.text) == (1, TOMATOES)


def test_an_answer_and_a_refusal_that_must_be_are_no_gap():
    assert ask(BATTERY).sentences.exists()
    assert ask(CHARGE).refusal == "commercial"
    group()
    assert gaps() == []


def test_each_way_of_not_being_answered_is_named():
    ask(COLOUR)
    ask(BATTERY, worded_by=Scripted(NOT_COVERED, WHOLE))
    ask("Who repaired the mast of the gauge?", worded_by=Scripted("The mast was repaired in 1999 [1].", WHOLE))
    said = ask("How often does the tide gauge at Holm Quay report?")
    Feedback.objects.create(turn=said, verdict=Feedback.Verdict.DOWN)
    group()
    named = {example.text: example.reason for gap in gaps() for example in gap.examples}
    assert named == {
        COLOUR: Reason.NO_EVIDENCE,
        BATTERY: Reason.NOT_COVERED,
        "Who repaired the mast of the gauge?": Reason.WITHHELD,
        said.question: Reason.UNHELPFUL,
    }


def test_the_nearest_record_is_the_one_that_the_search_found_first():
    ask("What does a tide gauge cost in winter in Peru?", worded_by=Scripted(NOT_COVERED, WHOLE))
    group()
    (gap,) = gaps()
    assert gap.nearest
    assert (gap.nearest.slug, gap.nearest.title) == ("gauge", "A tide gauge in winter")


def test_a_period_and_a_language_choose():
    ask(COLOUR, days_ago=20)
    ask(TOMATOES, days_ago=1)
    group()
    assert [gap.text for gap in gaps(7)] == [TOMATOES]
    assert len(gaps(30)) == 2
    assert gaps(30, "de") == []


def test_what_was_set_aside_comes_back_when_it_is_asked_more_than_before():
    ask(COLOUR, days_ago=2)
    group()
    QuestionGroup.objects.update(set_aside_at=timezone.now() - timedelta(days=1), set_aside_count=1)
    assert (gaps(), len(gaps(state=State.SET_ASIDE))) == ([], 1)
    ask(COLOUR_TOO)
    group()
    assert gaps() == []
    ask(COLOUR_TOO)
    group()
    assert len(gaps()) == 1


def test_a_record_that_answers_closes_the_gap_and_asking_in_vain_opens_it():
    ask(COLOUR)
    ask(TOMATOES)
    group()
    assert answered.ask_again(60) == 0
    write_about_the_bridge()
    assert answered.ask_again(60) == 1
    assert [gap.text for gap in gaps()] == [TOMATOES]
    assert [gap.text for gap in gaps(state=State.ANSWERED)] == [COLOUR]
    ask(COLOUR_TOO, worded_by=Scripted(NOT_COVERED, WHOLE))
    group()
    assert {gap.text for gap in gaps()} == {COLOUR_TOO, TOMATOES}


def test_what_was_there_already_closes_no_gap():
    ask(BATTERY, worded_by=Scripted(NOT_COVERED, WHOLE))
    group()
    write_about_the_bridge()
    assert answered.ask_again(60) == 0
    assert len(gaps()) == 1


def test_each_corpus_is_asked_once(django_assert_num_queries):
    ask(COLOUR)
    group()
    answered.ask_again(60)
    with django_assert_num_queries(2):  # what is published, and which gaps were not asked of it
        answered.ask_again(60)


def test_nothing_is_asked_again_while_something_waits_for_its_vectors():
    ask(COLOUR)
    group()
    record = Record.objects.create(kind="article", slug="bridge", start=timezone.localdate(), start_precision="day")
    RecordText.objects.create(record=record, language="en", title="The Skerrin Bridge", body=BRIDGE)
    publish(record)
    answered.ask_again(60)
    assert QuestionGroup.objects.get().asked_of == ""


def test_an_erased_question_is_in_no_gap_at_once():
    turn = ask(COLOUR)
    ask(TOMATOES)
    group()
    own_data.erase(turn.conversation)
    assert [gap.text for gap in gaps(state=None)] == [TOMATOES]


def test_the_sites_own_questions_are_no_gap():
    turn = ask(COLOUR)
    group()
    Turn.objects.filter(pk=turn.pk).update(live_check=True)
    assert gaps() == []
