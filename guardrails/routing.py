"""Recognises questions about the work as a whole, which the records answer, and questions about the owner.

It says where a question goes; whether it is refused has been decided before, and what the records hold is not
known here.
"""

from dataclasses import dataclass
from typing import Literal, get_args

from guardrails import question_patterns
from guardrails.function_words import spoken
from guardrails.owner import Owner
from guardrails.readings import Reading

Topic = Literal[
    "now", "recent", "education", "skills", "services", "research", "writing", "projects", "career", "overview"
]
TOPICS: tuple[Topic, ...] = get_args(Topic)  # where several match, the narrower first
ABOUT = "about"
FOLLOW_UP_WORDS = 6
OWNER_STAND_INS = {"<name>", "<name's>"}


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
    for reading in question_patterns.readings(question, previous, owner, FOLLOW_UP_WORDS):
        matches = question_patterns.matches("routing", reading, owner=owner)
        for topic in TOPICS:
            if rule := next((match.rule for match in matches if match.rule.meaning == topic), None):
                return Route("records", topic, rule.language, rule.pattern.name)
        meant = (match.rule for match in matches if _speaks(reading, match.rule.language))
        if not about and (rule := next(meant, None)):
            about = Route("about", None, rule.language, rule.pattern.name)
    return about or Route("search", None, None, None)


def _speaks(reading: Reading, language: str) -> bool:
    """Whether its pronouns may be meant."""
    if OWNER_STAND_INS & set(reading.words):
        return True
    words = spoken(reading)
    return words[language] >= max(words.values(), default=0)
