"""The latch: withholds text until a sentence ends, checks it, and releases it or stops for good.

Feed it the deltas of one answer, then flush it. The result does not depend on how the text was cut into deltas.
Taking out markers and characters that nothing is shown with, and redaction by policy, are the only changes to the
text. It knows no model and no transport.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from guardrails.belt import FENCES, Code, first_violation
from guardrails.candidate import Candidate, LatchRules
from guardrails.characters import speakable
from guardrails.markers import take_out
from guardrails.sentences import Sentence, SentenceSplitter
from guardrails.sources import Source

__all__ = ["Latch", "LatchRules", "ReleasedSentence", "Source", "Stop"]

_FENCE = FENCES[0]
# Sentences; fewer than a paragraph that a model says again and again, more than it takes turns with.
_REMEMBERED = 8


class ReleasedSentence(NamedTuple):
    """A checked sentence; only the latch makes one.

    `text` is without markers and surrounding white space, `gap` the white space after it; `sources` count from
    1 in the order of the markers; `start` and `end` are its place in the stream.
    """

    text: str
    gap: str
    language: str
    sources: tuple[int, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Stop:
    """Why the answer ended, and the sentence that was withheld, as far as it had arrived."""

    code: Code
    detail: str
    sentence: str


class Latch:
    """One answer on its way to the reader."""

    def __init__(self, language: str, sources: Sequence[Source], rules: LatchRules | None = None) -> None:
        self._language = language
        self._sources = tuple(sources)
        self._rules = rules or LatchRules()
        self._splitter = SentenceSplitter(language)
        self._open_quote = ""
        self._checked = 0  # sentences
        # The last sentences that passed, by their text and the quotation they began in; each with the one after it.
        self._passed: dict[tuple[str, str], tuple[ReleasedSentence, str]] = {}
        self.stop: Stop | None = None
        self.truncated = False

    def feed(self, delta: str) -> list[ReleasedSentence]:
        """The sentences that this delta releases; none after a stop."""
        if self.stop:
            return []
        sentences = self._splitter.feed(delta)
        released = self._release(sentences) if sentences else []
        if "`" in delta and not self.stop and _FENCE in self._splitter.rest:
            self._stop("code", "a code fence", self._splitter.rest)
        return released

    def flush(self, finish: Literal["stop", "length"] = "stop") -> list[ReleasedSentence]:
        """What the end of the stream releases; a half sentence at the length limit is dropped."""
        if self.stop:
            return []
        self.truncated = finish == "length"
        if self.truncated and not (self._splitter.complete and take_out(self._splitter.rest).numbers):
            return []
        return self._release(self._splitter.flush())

    def _release(self, sentences: Sequence[Sentence]) -> list[ReleasedSentence]:
        released: list[ReleasedSentence] = []
        for sentence in sentences:
            checked = self._check(sentence)
            if self.stop:
                break
            if checked and checked.text:
                released.append(checked)
        return released

    def _check(self, sentence: Sentence) -> ReleasedSentence | None:
        self._checked += 1
        said = (sentence.text, self._open_quote)
        if said in self._passed:
            # A model that is caught in a loop says again what has just passed.
            passed, self._open_quote = self._passed[said]
            return ReleasedSentence(*passed[:4], sentence.start, sentence.end)
        unmarked = take_out(speakable(sentence.text))
        candidate = Candidate(
            unmarked.text,
            unmarked.numbers,
            self._language,
            self._sources,
            self._rules,
            self._open_quote,
            self._checked - 1,
        )
        if violation := first_violation(candidate):
            self._stop(violation.code, violation.detail, sentence.text)
            return None
        self._open_quote = "" if "\n" in sentence.text else candidate.quoted.open_until
        text = candidate.leak.text if candidate.leak else candidate.text
        gap = text[len(text.rstrip()) :]
        passed = ReleasedSentence(text.strip(), gap, self._language, unmarked.numbers, sentence.start, sentence.end)
        if len(self._passed) == _REMEMBERED:
            del self._passed[next(iter(self._passed))]
        self._passed[said] = (passed, self._open_quote)
        return passed

    def _stop(self, code: Code, detail: str, sentence: str) -> None:
        before, fence, _ = sentence.partition(_FENCE)
        # The stop comes as soon as the fence is seen, however much of its line has arrived.
        self.stop = Stop(code, detail, (before + fence if code == "code" else sentence).strip())
