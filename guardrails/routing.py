"""Recognises questions about the work as a whole, which the records answer, and questions about the owner.

It says where a question goes; whether it is refused has been decided before, and what the records hold is not
known here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

from guardrails.followup import leans
from guardrails.language import available, load
from guardrails.owner import Owner, with_stand_in
from guardrails.patterns import PatternIndex, Rule
from guardrails.readings import Reading, read, read_joined

Topic = Literal[
    "now", "recent", "education", "skills", "services", "research", "writing", "projects", "career", "overview"
]
TOPICS: tuple[Topic, ...] = get_args(Topic)  # where several match, the narrower first
ABOUT = "about"
FOLLOW_UP_WORDS = 6


@dataclass(frozen=True, slots=True)
class Route:
    """Where the question goes; for `records` by which topic, else without one."""

    kind: Literal["records", "about", "search"]
    topic: Topic | None
    language: str | None
    pattern: str | None


def route(question: str, previous: str | None = None, owner: Owner | None = None) -> Route:
    """Where a question that isn't refused goes."""
    about: Route | None = None
    for reading in _readings(question, previous, owner):
        matches = _index().matches(reading)
        for topic in TOPICS:
            if rule := next((match.rule for match in matches if match.rule.meaning == topic), None):
                return Route("records", topic, rule.language, rule.pattern.name)
        if matches and not about:
            about = Route("about", None, matches[0].rule.language, matches[0].rule.pattern.name)
    return about or Route("search", None, None, None)


def _readings(question: str, previous: str | None, owner: Owner | None) -> Iterator[Reading]:
    plain = read(question)
    yield plain
    if owner and (named := with_stand_in(plain, owner)):
        yield named
    if previous and len(plain.words) <= FOLLOW_UP_WORDS and leans(plain):
        joined = read_joined(previous, question)
        yield (owner and with_stand_in(joined, owner)) or joined


@cache
def _index() -> PatternIndex:
    languages = [load(code) for code in available()]
    return PatternIndex(
        languages,
        [
            Rule(language.code, topic, pattern)
            for language in languages
            for topic in (*TOPICS, ABOUT)
            for pattern in getattr(language.routing, topic)
        ],
    )
