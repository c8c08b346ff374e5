"""Keyword coverage: which share of the question's content words a passage has as whole words."""

from collections.abc import Collection, Sequence

HITS_MINIMUM = 2


def coverage(question_words: Sequence[str], passage_words: Collection[str]) -> float:
    """0 to 1; 0 below two distinct hits, since one shared word says nothing about the subject."""
    asked = set(question_words)
    hits = sum(word in passage_words for word in asked)
    return hits / len(asked) if hits >= HITS_MINIMUM else 0.0
