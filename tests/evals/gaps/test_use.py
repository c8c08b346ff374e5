"""Figures of use: each from rows that are known."""

from datetime import timedelta

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from assistant.models import Conversation, Sentence, Turn
from evals.gaps import use
from evals.gaps.found import since


def answered(language="en", *, provider="quoting", ms=10, cost=0, days_ago=0.0, said=True) -> Turn:
    now = timezone.now()
    turn = Turn.objects.create(
        conversation=Conversation.objects.create(language=language), ordinal=1, question="?", language=language,
        state="done", route="search", provider=provider, ms=ms, cost_microusd=cost, deadline=now,
    )  # fmt: skip
    Turn.objects.filter(pk=turn.pk).update(created_at=now - timedelta(days=days_ago))
    if said:
        Sentence.objects.create(turn=turn, ordinal=1, text="So it is.", language=language)
    return turn


@given(st.lists(st.integers(0, 10**6), min_size=1))
def test_a_spread_is_made_of_values_that_occurred(values):
    spread = use.spread(values)
    assert {spread.half, spread.most} <= set(values)
    assert sum(value <= spread.half for value in values) * 2 >= len(values)
    assert sum(value <= spread.most for value in values) * 100 >= 95 * len(values)
    assert spread.half <= spread.most
    assert spread.total == sum(values)


@pytest.mark.django_db
def test_an_answer_is_what_released_a_sentence_and_each_provider_is_counted_apart():
    for ms in (10, 20, 400):
        answered(provider="openai m", ms=ms, cost=ms)
    answered(ms=5)
    answered(provider="openai m", ms=9_000, cost=9_000, said=False)
    model, quoting = use.answers(since(7))
    assert (model.provider, model.n, model.ms, model.cost) == (
        "openai m", 3, use.Spread(20, 400, 430), use.Spread(20, 400, 430),
    )  # fmt: skip
    assert (quoting.n, quoting.ms.half) == (1, 5)


@pytest.mark.django_db
def test_languages_and_days_count_the_period_alone():
    answered("fa")
    answered("fa", days_ago=1)
    answered("de", days_ago=2)
    answered("en", days_ago=40)
    assert [(row.name, row.count) for row in use.languages(since(30))] == [("fa", 2), ("de", 1)]
    days = use.days(since(7))
    assert [row.count for row in days][-3:] == [1, 1, 1]
    assert sum(row.count for row in days) == 3
    assert [row.count for row in use.days(since(7), "de")][-3:] == [1, 0, 0]


@pytest.mark.django_db
def test_the_sites_own_questions_are_in_no_figure():
    turn = answered()
    Turn.objects.filter(pk=turn.pk).update(live_check=True)
    assert (use.languages(since(7)), use.answers(since(7))) == ([], [])
