"""Statements of a fee, an availability or a commitment in the owner's name, whatever the sources say.

Patterns of the answer's language, in the templates of the language files, for what layer 1 let through.
"""

from functools import cache

from guardrails.language import load
from guardrails.patterns import PatternIndex, Rule
from guardrails.readings import read


def commits(sentence: str, language: str) -> str | None:
    """The words that commit the owner, or None."""
    index = _index(language)
    if index is None:
        return None
    matches = index.matches(read(sentence))
    if not matches:
        return None
    start, end = matches[0].place()
    return f"{matches[0].rule.pattern.name}: {sentence[start:end]}"


@cache
def _index(language: str) -> PatternIndex | None:
    patterns = load(language).commitment.statements
    rules = [Rule(language, "commitment", pattern) for pattern in patterns]
    return PatternIndex([load(language)], rules) if rules else None
