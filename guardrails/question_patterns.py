"""The patterns that questions are tried on, of all languages and purposes behind one index, and the readings for them.

One index serves refusals, routes and follow-up wordings: what a question holds is looked up once.
"""

from collections.abc import Iterator, Set
from functools import cache
from typing import Literal

from guardrails.language import available, load
from guardrails.owner import Owner, with_stand_in
from guardrails.patterns import Match, PatternIndex, rules
from guardrails.readings import Reading, read, read_joined

Family = Literal["refusal", "routing", "followup"]
_FAMILIES: tuple[Family, ...] = ("refusal", "routing", "followup")


def matches(
    family: Family, reading: Reading, previous: Reading | None = None, owner: Owner | None = None
) -> list[Match]:
    """Every pattern of a family that the reading matches, in any language.

    A name is no reason to pass over an exception that speaks of the owner: it is looked for in both readings.
    """
    found = _index().matches(family, reading, previous)
    named = with_stand_in(reading, owner) if owner and found else None
    return [match for match in found if not _index().stands(match.unless, named)] if named else found


def words() -> Set[str]:
    """The words that templates have."""
    return _index().lexicon.words


def readings(question: str, previous: str | None, owner: Owner | None, follow_up_words: int) -> Iterator[Reading]:
    """The readings in the order in which they are trusted: as it stands, with the owner named, with what came before.

    A question of more than `follow_up_words` words stands alone.
    """
    plain = read(question)
    yield plain
    if owner and (named := with_stand_in(plain, owner)):
        yield named
    if previous and len(plain.words) <= follow_up_words and leans(plain):
        joined = read_joined(previous, question)
        yield (owner and with_stand_in(joined, owner)) or joined


def leans(reading: Reading) -> bool:
    """Whether the question is worded as a follow-up in any language."""
    return bool(matches("followup", reading))


@cache
def _index() -> PatternIndex:
    languages = [load(code) for code in available()]
    return PatternIndex(
        languages,
        {family: [rule for language in languages for rule in rules(language, family)] for family in _FAMILIES},
    )
