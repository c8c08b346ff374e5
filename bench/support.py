"""What the check `support` would do: right sentences that it holds back, and wrong ones that it catches.

Right are sentences of the sources word for word, the same without a parenthesis or their last clause, two neighbours
joined in one, and the reworded answers of `texts/<code>.txt`. Wrong are sentences with a denial put in, sentences cited
to another source, and the first half of one sentence with the second half of its neighbour. Nothing here is timed.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from bench.latch import samples
from guardrails.latch import Latch, LatchRules, Source
from guardrails.negation import denies
from guardrails.plain import plain
from guardrails.sentences import SentenceSplitter
from guardrails.support import lacks_support
from records.chunking import read

DELIVERED = 8
# How a denial is put in before the second half of a sentence.
DENIALS = {
    "en": " not ", "fa": " هرگز ", "ar": " لم ", "es": " nunca ", "pt": " nunca ", "fr": " jamais ", "de": " nicht ",
    "ru": " не ", "hi": " नहीं ", "zh": "不",
}  # fmt: skip
_DEMO = Path(__file__).parents[1] / "records" / "demo" / "en"
_PARENTHESIS = re.compile(r"\s*[(（][^()（）]*[)）]")
_LAST_CLAUSE = re.compile(r"[,،，;؛；:：][^,،，;؛；:：]*?(?=[.。।؟?!！]?$)")
_LEAST_LETTERS = 12  # of what is left: shorter ones are no sentences


@dataclass(frozen=True, slots=True)
class Corpus:
    """Sources in one language, and sentences that somebody wrote from them with the numbers of what they cite."""

    name: str
    language: str
    texts: tuple[str, ...]
    answers: tuple[str, ...] = ()


def measure() -> None:
    """Prints a line for the demo's passages and one for each language that has a text."""
    _print("support       held back though right (of)                            caught though wrong (of)")
    _print("              verbatim     shortened    joined       reworded        denied       elsewhere    crossed")
    for corpus in _corpora():
        _print(_line(corpus))


def _corpora() -> Iterator[Corpus]:
    paths = sorted(_DEMO.rglob("*.md"))
    chunks = (read(path.read_text(encoding="utf-8").split("+++\n")[2], path.stem, "en").chunks for path in paths)
    yield Corpus("demo (en)", "en", tuple(chunk.text for found in chunks for chunk in found))
    for sample in samples():
        yield Corpus(sample.language, sample.language, sample.texts, sample.sentences)


def _line(corpus: Corpus) -> str:
    sources = [Source(text, corpus.language) for text in corpus.texts]
    sentences = [(place, text) for place, source in enumerate(sources) for text in _sentences(source)]
    plain_ones = [(place, text) for place, text in sentences if not denies(plain(text), corpus.language)]
    middle = DENIALS[corpus.language]
    figures = (
        _held(sources, sentences),
        _held(sources, ((place, short) for place, text in sentences for short in _shortened(text))),
        _held(sources, ((place, f"{one[:-1]}, {other}") for place, one, other in _neighbours(sentences))),
        _stopped(corpus, sources),
        _held(sources, ((place, middle.join(_halves(text))) for place, text in plain_ones)),
        _held(sources, ((place + DELIVERED // 2, text) for place, text in sentences)),
        _held(
            sources,
            ((place, f"{_halves(one)[0]} {_halves(other)[1]}") for place, one, other in _neighbours(sentences)),
        ),
    )
    return f"{corpus.name:<13} " + " ".join(f"{held:>4} of {n:<4} " for held, n in figures)


def _held(sources: Sequence[Source], cited: Iterable[tuple[int, str]]) -> tuple[int, int]:
    """How many of the sentences lack support in the source at that place, and of how many."""
    verdicts = [
        lacks_support(text, sources[0].language, [sources[place % len(sources)]], _delivered(sources, place))
        for place, text in cited
    ]
    return sum(verdict is not None for verdict in verdicts), len(verdicts)


def _stopped(corpus: Corpus, sources: Sequence[Source]) -> tuple[int, int]:
    """The same for written answers, which bring their own markers: those that the latch stops for want of support."""
    held = 0
    for answer in corpus.answers:
        latch = Latch(corpus.language, sources, LatchRules(support=True))
        latch.feed(f"{answer} ")
        latch.flush()
        held += latch.stop is not None and latch.stop.code == "support"
    return held, len(corpus.answers)


def _delivered(sources: Sequence[Source], place: int) -> list[Source]:
    return [sources[(place + step) % len(sources)] for step in range(min(DELIVERED, len(sources)))]


def _sentences(source: Source) -> list[str]:
    splitter = SentenceSplitter(source.language)
    found = [sentence.text.strip() for sentence in (*splitter.feed(source.text), *splitter.flush())]
    return [text for text in found if len(text) >= _LEAST_LETTERS]


def _shortened(text: str) -> Iterator[str]:
    for short in (_PARENTHESIS.sub("", text), _LAST_CLAUSE.sub("", text)):
        if short != text and len(short) >= _LEAST_LETTERS:
            yield short


def _halves(text: str) -> tuple[str, str]:
    middle = text.find(" ", len(text) // 2)
    return (text[:middle], text[middle + 1 :]) if middle > 0 else (text[: len(text) // 2], text[len(text) // 2 :])


def _neighbours(sentences: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str, str]]:
    return ((place, one, other) for (place, one), (same, other) in pairwise(sentences) if place == same)


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")
