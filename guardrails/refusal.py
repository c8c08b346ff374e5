"""Layer 1: recognises, by pattern in all languages at once, what is refused before anything is searched.

The five categories are `commercial`, `private`, `speculation`, `meta` and `task`. It reads the question as it
stands, with the owner's name as a pronoun, with the question before, and with disguises taken off. It is no
classifier: a paraphrase that no pattern knows passes, and later layers must hold.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from guardrails import question_patterns
from guardrails.disguise import undisguised
from guardrails.extra import Category, ExtraPhrase, ExtraPhrases
from guardrails.function_words import foreign_languages
from guardrails.language import available, load
from guardrails.owner import Owner, name_test, with_stand_in
from guardrails.patterns import Match, rules
from guardrails.readings import Reading, read

__all__ = ["CATEGORIES", "Category", "ExtraPhrase", "ExtraPhrases", "Owner", "Refusal", "check"]

# Where several match: whoever tries to steer the assistant is answered as such, and a commitment asked for
# in the form of a task ("write me a quote") is a commitment first.
CATEGORIES: tuple[Category, ...] = ("meta", "commercial", "private", "speculation", "task")
# A question of more words stands alone.
FOLLOW_UP_WORDS = 12


@dataclass(frozen=True, slots=True)
class Refusal:
    """Which category, whose pattern in which language, and from where to where in the question."""

    category: Category
    language: str
    pattern: str
    start: int
    end: int


def check(
    question: str,
    previous: str | None = None,
    owner: Owner | None = None,
    extra: ExtraPhrases | None = None,
    language: str | None = None,
) -> Refusal | None:
    """The reason to refuse, or None. `language` is preferred where patterns of several languages match.

    With the question before, `start` and `end` count from the beginning of the two joined by a space.
    """
    before = read(previous) if previous else None
    for reading in _readings(question, previous, owner):
        if extra and (found := extra.find(reading)):
            phrase, start, end = found
            return Refusal(phrase.category, phrase.language, phrase.text, start, end)
        if matches := question_patterns.matches("refusal", reading, before, owner):
            foreign = foreign_languages(reading)
            if meant := [match for match in matches if match.rule.language not in foreign]:
                return _decide(meant, language)
    return None


@cache
def pattern_count() -> int:
    """How many patterns a question is tried on, those of all languages together."""
    return sum(1 for code in available() for _ in rules(load(code), "refusal"))


def _readings(question: str, previous: str | None, owner: Owner | None) -> Iterator[Reading]:
    yield from question_patterns.readings(question, previous, owner, FOLLOW_UP_WORDS)

    known, is_name = question_patterns.words(), name_test(owner) if owner else None
    knows = (lambda word: word in known or is_name(word)) if is_name else known.__contains__
    plain = read(question)
    for text in undisguised(plain.folded.text, plain.words, knows):
        hidden = read(text)
        yield hidden
        if owner and (named := with_stand_in(hidden, owner)):
            yield named


def _decide(matches: list[Match], preferred: str | None) -> Refusal:
    meanings = {match.rule.meaning for match in matches}
    category = next(category for category in CATEGORIES if category in meanings)
    matches = [match for match in matches if match.rule.meaning == category]
    votes = Counter(match.rule.language for match in matches)
    best = max(matches, key=lambda match: (match.rule.language == preferred, votes[match.rule.language]))
    return Refusal(category, best.rule.language, best.rule.pattern.name, *best.place())
