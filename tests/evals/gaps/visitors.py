"""Visitors who ask the real turn: what they asked is kept as the site keeps it."""

import asyncio
from datetime import timedelta

from django.utils import timezone

from assistant import turn
from assistant.models import Conversation, Turn
from assistant.providers import Provider
from assistant.question import Question
from evals.gaps import grouping

COLOUR = "What colour is the Skerrin Bridge painted?"
COLOUR_TOO = "which paint colour does the bridge at Skerrin have"
FARBE = "In welcher Farbe ist die Skerrin-Brücke gestrichen?"
TOMATOES = "Which varieties of tomato do Hollin & Vray grow?"
BATTERY = "How many days did the battery of the tide gauge at Holm Quay last?"
CHARGE = "How much do you charge?"


def ask(
    text: str,
    language: str = "en",
    conversation: Conversation | None = None,
    worded_by: Provider | None = None,
    *,
    days_ago: float = 0,
) -> Turn:
    """One question, answered to the end; then its row, which can be put into the past."""
    question = Question(text=text, language=language, conversation=conversation)

    async def whole() -> None:
        async for _event in turn.answer(question, worded_by):
            pass

    asyncio.run(whole())
    Turn.objects.filter(pk=question.id).update(created_at=timezone.now() - timedelta(days=days_ago))
    return Turn.objects.select_related("conversation").get(pk=question.id)


def group() -> None:
    """What the worker does every minute."""
    assert grouping.mend(60)
    grouping.group_new(60)
