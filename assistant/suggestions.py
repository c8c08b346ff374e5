"""Questions that a visitor can ask with one press: the owner's own, in the page's language, that layer 1 lets pass."""

import hashlib

from assistant import owner_rules
from guardrails import refusal
from records.models import Owner

BELOW_A_REFUSAL = 3
AT_THE_START = 6


def suggested(language: str, most: int, beside: str = "") -> tuple[str, ...]:
    """Return at most so many, in the owner's order; beside a question that was just asked, others begin the row."""
    owner = Owner.objects.first()
    if owner is None:
        return ()
    named = owner_rules.named(owner)
    asked = [str(question) for question in owner.questions.get(language, ()) if str(question) != beside]
    passing = [question for question in asked if refusal.check(question, None, named) is None]
    if beside and passing:
        # The same three each time would look like a wall: the question decides where the row begins.
        first = hashlib.sha256(beside.encode()).digest()[0] % len(passing)
        passing = passing[first:] + passing[:first]
    return tuple(passing[:most])
