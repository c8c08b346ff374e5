"""A guard's days are held against what was usual for so many questions."""

from datetime import date, datetime, timedelta

import pytest
from django.conf import settings

from assistant.models import Conversation, DayFigure, GuardrailEvent, Turn
from evals.dashboard import guards

pytestmark = pytest.mark.django_db

TODAY = date(2026, 5, 20)


@pytest.fixture
def conversation():
    return Conversation.objects.create(language="en")


def turns(conversation, day, count, triggered=0, guard="value"):
    """Questions of a day, and how many of them triggered the guard."""
    noon = datetime.combine(day, datetime.min.time(), tzinfo=settings.TRAVA.zone) + timedelta(hours=12)
    first = conversation.turns.count()
    made = Turn.objects.bulk_create(
        Turn(conversation=conversation, ordinal=first + n + 1, question="?", language="en", deadline=noon)
        for n in range(count)
    )
    events = GuardrailEvent.objects.bulk_create(GuardrailEvent(turn=turn, guard=guard) for turn in made[:triggered])
    Turn.objects.filter(pk__in=[turn.pk for turn in made]).update(created_at=noon)
    GuardrailEvent.objects.filter(pk__in=[event.pk for event in events]).update(created_at=noon)


def test_a_day_far_from_what_was_usual_is_marked(conversation):
    for back in range(40, 60):
        turns(conversation, TODAY - timedelta(days=back), 10, 1)
    turns(conversation, TODAY, 20, 12)
    turns(conversation, TODAY - timedelta(days=1), 20, 2)
    (trend,) = guards.trends(TODAY)
    assert [(day.day, day.count) for day in trend.unusual] == [(TODAY, 12)]
    assert trend.days[-1].expected == pytest.approx(2.0)
    assert trend.total == 14


def test_more_questions_let_more_be_expected(conversation):
    for back in range(40, 60):
        turns(conversation, TODAY - timedelta(days=back), 10, 5)
    turns(conversation, TODAY, 40, 20)
    (trend,) = guards.trends(TODAY)
    assert trend.unusual == ()


def test_with_too_little_before_nothing_is_called_usual(conversation):
    turns(conversation, TODAY - timedelta(days=40), guards.FEWEST - 1, 1)
    turns(conversation, TODAY, 20, 20)
    (trend,) = guards.trends(TODAY)
    assert trend.days[-1].expected is None
    assert trend.unusual == ()


def test_turns_that_were_deleted_still_count(conversation):
    old = TODAY - timedelta(days=50)
    DayFigure.objects.create(day=old, language="en", kind="turns", name="", count=100)
    DayFigure.objects.create(day=old, language="en", kind="guard", name="value", count=10)
    turns(conversation, TODAY, 10, 1)
    (trend,) = guards.trends(TODAY)
    assert trend.days[-1].expected == pytest.approx(1.0)
