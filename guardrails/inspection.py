"""What the belt has against each sentence of a text that rests on no source: every objection, and nothing released.

For showing what the latch would have held back. The latch ends at the first objection; this reads on.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from guardrails.belt import Violation, objections
from guardrails.candidate import Candidate, LatchRules
from guardrails.markers import take_out
from guardrails.sentences import Sentence, SentenceSplitter


@dataclass(frozen=True, slots=True)
class Inspected:
    """One sentence as it was written, and all that the belt has against it; nothing: the latch would let it pass."""

    text: str
    objections: tuple[Violation, ...]


class Inspection:
    """Feed it the deltas of one text, then flush it. It is no way to release a sentence: only the latch makes those."""

    def __init__(self, language: str, rules: LatchRules) -> None:
        self._language = language
        self._rules = rules
        self._splitter = SentenceSplitter(language)
        self._open_quote = ""
        self._inspected = 0

    def feed(self, delta: str) -> list[Inspected]:
        """Return the sentences that this delta makes certain."""
        return self._inspect(self._splitter.feed(delta))

    def flush(self) -> list[Inspected]:
        """Return what the end of the text leaves, half a sentence too."""
        return self._inspect(self._splitter.flush())

    def _inspect(self, sentences: Sequence[Sentence]) -> list[Inspected]:
        return [self._one(sentence.text) for sentence in sentences if sentence.text.strip()]

    def _one(self, sentence: str) -> Inspected:
        unmarked = take_out(sentence)
        candidate = Candidate(
            unmarked.text, unmarked.numbers, self._language, (), self._rules, self._open_quote, self._inspected
        )
        self._inspected += 1
        self._open_quote = "" if "\n" in sentence else candidate.quoted.open_until
        return Inspected(sentence.strip(), tuple(objections(candidate)))
