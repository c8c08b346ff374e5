"""A model that declines in prose instead of saying the fixed token, told by an answer's first sentences.

Patterns of all ten languages, since models decline in English whatever they were asked in. It knows wording alone:
whether the model declined with reason is for whoever knows the evidence.
"""

from functools import cache

from guardrails import quotes
from guardrails.language import available, load
from guardrails.patterns import PatternIndex, rules
from guardrails.readings import read

FIRST_SENTENCES = 2  # a courtesy may come before it; further down a sentence is about the work
_FAMILY = "model_refusal"


def declines(sentence: str, language: str) -> str | None:
    """The pattern by which a sentence of an answer in `language` declines, or None. Quotations don't count."""
    spoken = quotes.mask(sentence, quotes.find(sentence, language).quotations)
    matches = _index().matches(_FAMILY, read(spoken))
    if not matches:
        return None
    rule = matches[0].rule
    return f"{rule.meaning}: {rule.pattern.name}"


@cache
def _index() -> PatternIndex:
    languages = [load(code) for code in available()]
    return PatternIndex(languages, {_FAMILY: [rule for language in languages for rule in rules(language, _FAMILY)]})
