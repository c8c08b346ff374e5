"""The provider that needs no model and no key: it quotes the sources' own sentences, word for word.

A sentence in the first person is quoted inside quotation marks with its title before it, so that the assistant
never speaks as the owner. A source that has a caveat is followed by how that begins. Where even the best sentence
does not answer, it says the token.
"""

import math
from collections import Counter
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from assistant.evidence import Evidence
from assistant.providers import NOT_COVERED, Assignment, Finish, Text
from guardrails import voice
from guardrails.coverage import HITS_MINIMUM
from guardrails.plain import plain
from guardrails.sentences import SentenceSplitter
from guardrails.text import content_words
from metering.prices import Usage
from metering.transports.received import Received

MAX_SENTENCES = 4
MAX_PASSAGES = 2
# The least score that answers. On the tuning halves of the demo's English golden set it lets 33 of 34 answerable
# questions through, and 4 of 15 without evidence, none of which passes the floor before it (docs/measured.md).
ANSWERS = 0.25
ALSO_QUOTED = 0.6  # of the best sentence's score: a further sentence below it adds noise
# The cosine from which on a passage may be quoted in another language, or for one word that it shares: above that of
# every question without evidence in the demo's golden sets of ten languages (the highest: 0.274), with the bundled
# embedder (docs/measured.md).
NEAR = 0.29
FOREIGN_SENTENCES = 2  # of the nearest passage, where question and passage share no language and so no words
PER_PLACE = 0.03  # taken off for each place further down in the search's order


@dataclass(frozen=True, slots=True)
class _Candidate:
    number: int  # of the source, from 1
    ordinal: int  # of the sentence in its source
    text: str
    score: float


class Quoting:
    """Implements `Provider` at price 0."""

    name = "quoting"
    is_model = False

    def bound_micro_usd(self, assignment: Assignment) -> int:
        """Quoting costs nothing."""
        return 0

    def speaks(self, assignment: Assignment) -> str:
        """Quotations stand in their source's own language; all of one answer are in one."""
        quoted = _quoted(assignment)
        return assignment.evidence[quoted[0].number - 1].source.language if quoted else assignment.language

    def usage_of_cut(self, assignment: Assignment, received: Received) -> Usage:
        """Nor does an answer that was cut."""
        return _usage()

    async def stream(self, assignment: Assignment) -> AsyncGenerator[Text | Finish, None]:
        """Yield one quoted sentence at a time."""
        for piece in _answer(assignment):
            yield Text(piece)
        yield Finish("stop", _usage())


def _usage() -> Usage:
    return Usage(model="quoting", input_tokens=0, output_tokens=0)


def _answer(assignment: Assignment) -> Iterator[str]:
    quoted = _quoted(assignment)
    if not quoted:
        yield NOT_COVERED
        return
    told = {candidate.number for candidate in quoted}
    for number, own in groupby(quoted, key=lambda candidate: candidate.number):
        for candidate in own:
            yield _quote(candidate, assignment.evidence[number - 1])
        for caveat in assignment.evidence[number - 1].caveats:
            if caveat not in told:
                told.add(caveat)
                yield beginning(caveat, assignment.evidence[caveat - 1])


def beginning(number: int, source: Evidence) -> str:
    """Quote the first sentence of a source that nobody asked for, but that what was said can't stand without."""
    return _quote(_Candidate(number, 0, _sentences(source.source.text, source.source.language)[0], 0.0), source)


def _quoted(assignment: Assignment) -> list[_Candidate]:
    if assignment.route == "records":
        return _all(assignment)
    return _choose(assignment) or _nearest_foreign(assignment)


def _all(assignment: Assignment) -> list[_Candidate]:
    """Return every source whole: a question about the work as a whole is answered by its list."""
    return [_Candidate(number, 0, item.source.text, 1.0) for number, item in enumerate(assignment.evidence, start=1)]


def _quote(candidate: _Candidate, source: Evidence) -> str:
    """Return the sentence as it stands, with its marker and a line break.

    A title that ends a sentence inside ("Is it safe? A review") makes two of it: each gets the marker.
    """
    text, language = candidate.text, source.source.language
    if not source.from_fields and _is_first_person(text, language):
        text = f"“{source.reference.title}”: “{text}”"
    return " ".join(f"{part} [{candidate.number}]" for part in _sentences(text, language)) + "\n"


def _is_first_person(text: str, language: str) -> bool:
    return voice.first_person(text, plain(text), language, lambda: text, ()) is not None


def _sentences(text: str, language: str) -> list[str]:
    splitter = SentenceSplitter(language)
    sentences = (sentence.text.strip() for sentence in [*splitter.feed(text), *splitter.flush()])
    return [sentence for sentence in sentences if sentence]


def _nearest_foreign(assignment: Assignment) -> list[_Candidate]:
    """Return the beginning of the nearest passage where that is in another language: words can't choose there."""
    measured = [(source.dense, -number) for number, source in enumerate(assignment.evidence, start=1) if source.dense]
    if not measured:
        return []
    dense, place = max(measured)
    source = assignment.evidence[-place - 1].source
    if source.language == assignment.language or not _is_near(assignment.evidence[-place - 1]):
        return []
    sentences = _sentences(source.text, source.language)[:FOREIGN_SENTENCES]
    return [_Candidate(-place, ordinal, text, dense) for ordinal, text in enumerate(sentences)]


def _is_near(source: Evidence) -> bool:
    return (source.dense or 0.0) >= NEAR


def _choose(assignment: Assignment) -> list[_Candidate]:
    candidates = _candidates(assignment)
    if not candidates:
        return []
    best = max(candidates, key=lambda candidate: candidate.score)
    if best.score < ANSWERS:
        return []
    chosen = sorted(
        (c for c in candidates if c.score >= max(ANSWERS, ALSO_QUOTED * best.score)),
        key=lambda c: (-c.score, c.number, c.ordinal),
    )[:MAX_SENTENCES]
    language = assignment.evidence[best.number - 1].source.language
    in_language = (c.number for c in chosen if assignment.evidence[c.number - 1].source.language == language)
    kept = list(dict.fromkeys(in_language))[:MAX_PASSAGES]
    return sorted((c for c in chosen if c.number in kept), key=lambda c: (kept.index(c.number), c.ordinal))


def _candidates(assignment: Assignment) -> list[_Candidate]:
    """Score every sentence: half by its own words, half by its passage's, less for a passage further down.

    As for the floor, one word alone is none, unless the passage is near: off the subject a single word is shared often.
    """
    asked = set(content_words(assignment.question, assignment.language))
    sentences = [
        (
            number,
            ordinal,
            text,
            frozenset(content_words(text, source.source.language)),
            source.source.content_words,
        )
        for number, source in enumerate(assignment.evidence, start=1)
        if source.found
        for ordinal, text in enumerate(_sentences(source.source.text, source.source.language))
    ]
    weights = _weights(asked, [own for _, _, _, own, _ in sentences])
    total = sum(weights.values())
    if not total:
        return []

    def share(found: frozenset[str]) -> float:
        return sum(weights[word] for word in asked & found) / total

    return [
        _Candidate(number, ordinal, text, (share(own) + share(around)) / 2 * (1 - PER_PLACE * (number - 1)))
        for number, ordinal, text, own, around in sentences
        if len(asked & around) >= min(len(asked), 1 if _is_near(assignment.evidence[number - 1]) else HITS_MINIMUM)
    ]


def _weights(asked: set[str], sentences: Sequence[frozenset[str]]) -> dict[str, float]:
    """Return inverse document frequencies over the delivered sentences: log(1 + N / (1 + df))."""
    frequency = Counter(word for found in sentences for word in asked & found)
    return {word: math.log(1 + len(sentences) / (1 + frequency[word])) for word in asked}
