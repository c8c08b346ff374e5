"""Tells from its wording whether a question leans on the one before, and which item of a list it points to.

Wording is a matter of the reader's language. What the follow-up is joined with, and what that means for the
floor, is decided by the caller; a question that stands alone is never tied to what came before.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from guardrails.language import load
from guardrails.lexicon import Group
from guardrails.listing import items
from guardrails.patterns import PatternIndex, rules
from guardrails.readings import read
from guardrails.text import content_words

Kind = Literal["pronoun", "ellipsis", "position", "more", "short"]
_BY_PRECEDENCE: tuple[Kind, ...] = ("position", "more", "ellipsis", "pronoun")
_SHORT = 3


@dataclass(frozen=True, slots=True)
class FollowUp:
    """How the question leans on the one before; for a position, which (1-based, -1 the last) and what stands there."""

    kind: Kind
    position: int | None
    item: str | None


def follow_up(
    question: str,
    language: str,
    previous_question: str | None,
    previous_answer: Sequence[str] | str,
    titles: Sequence[str],
) -> FollowUp | None:
    """None where the question stands alone. `titles` are those that the site gives the items of the answer."""
    if not previous_question:
        return None
    index, _ = _wordings(language)
    found = {match.rule.meaning for match in index.matches("followup", read(question))}
    kind = next((kind for kind in _BY_PRECEDENCE if kind in found), None)
    if kind == "position":
        position = _position(question, language)
        return FollowUp(kind, position, _item(position, items(previous_answer, titles)))
    if kind:
        return FollowUp(kind, None, None)
    return FollowUp("short", None, None) if len(set(content_words(question, language))) < _SHORT else None


def _position(question: str, language: str) -> int | None:
    """The one position that the question names; None where it names several or none."""
    index, positions = _wordings(language)
    reading = read(question)
    named = {position for position, group in positions.items() if index.holds(group, reading)}
    named = named or {int(word) for word in reading.words if word.isdecimal() and len(word) <= 2}
    return named.pop() if len(named) == 1 else None


def _item(position: int | None, listed: list[str]) -> str | None:
    if not position or not -len(listed) <= position <= len(listed):
        return None
    return listed[position - 1 if position > 0 else position]


@cache
def _wordings(code: str) -> tuple[PatternIndex, dict[int, Group]]:
    """The language's patterns, and the words for each position in their lexicon."""
    language = load(code)
    index = PatternIndex([language], {"followup": rules(language, "followup")})
    positions = language.followup.positions
    return index, {int(position): index.lexicon.texts(words, code) for position, words in positions.items()}
