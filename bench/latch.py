"""What the latch costs on a stream, with a passthrough beside it in the same run.

Every check is on; a token is a delta of 4.7 characters; eight sources of some 120 words are prepared inside the
measure of an answer. The best of several runs counts, in seconds of processor time. `texts/<code>.txt` holds eight
sources, parted by empty lines, and an answer of one sentence a line that cites them and says most of it otherwise;
"word for word" is an answer of their own sentences, as `quoting` gives it.
"""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, cycle, pairwise
from pathlib import Path

from guardrails.language import available
from guardrails.latch import Latch, LatchRules, Source
from guardrails.leak import LeakRules
from guardrails.sentences import Sentence, SentenceSplitter

CHARACTERS_A_TOKEN = 4.7
RULES = LatchRules(
    domains=("example.org",), leak=LeakRules(allowed=frozenset({"tides@data.example.org"})), support=True
)
HARD = {
    "en": (
        ". ", "[1", "[1] ", "1,", "1.", "7", "word ", "x", '"', "“", "“a ‘b", " 'a", "(", "a\u0301", "\n", "- a\n",
        "- a\n- b\n", '"a." …',
        "one ", "two and a ", "not ", "no one ", "5 March ", "3 to ", "$5 ", "e.g. ", "a@", "a.", "A. ", "www.", "``",
    ),
    "de": ("zwei", "und ", "1.200 "),
    "ar": ("\u064b", "و", "ثلاثة "),
    "zh": ("。", "的。了。", "三", "一百", "我", "不", "的"),
}  # fmt: skip
_TEXTS = Path(__file__).parent / "texts"


@dataclass(frozen=True, slots=True)
class Sample:
    """Eight sources and the sentences of an answer from them, in one language."""

    language: str
    texts: tuple[str, ...]
    sentences: tuple[str, ...]

    def answer(self, tokens: int) -> str:
        """The answer, repeated or cut after a sentence to about so many tokens."""
        wanted, length = tokens * CHARACTERS_A_TOKEN, 0
        parts: list[str] = []
        for sentence in cycle(self.sentences):
            if length >= wanted:
                break
            parts.append(f"{sentence} ")
            length += len(parts[-1])
        return "".join(parts)

    def quotes(self, tokens: int) -> str:
        """As `answer`, made of sentences of the sources, word for word."""
        cut = [[sentence.text.strip() for sentence in _split(text, self.language)] for text in self.texts]
        marked = [[f"{each[:-1]} [{number}]{each[-1]}" for each in source] for number, source in enumerate(cut, 1)]
        return Sample(self.language, self.texts, tuple(chain.from_iterable(zip(*marked, strict=False)))).answer(tokens)

    def sources(self) -> list[Source]:
        return [Source(text, self.language) for text in self.texts]


def _split(text: str, language: str) -> list[Sentence]:
    splitter = SentenceSplitter(language)
    return [*splitter.feed(text), *splitter.flush()]


def measure() -> None:
    """Prints one line for each language that has a text, then the hard inputs."""
    _print("latch   tokens/s   word for   tokens/s  passthrough  us a      us a delta  cost a token     release after")
    _print("        at 200     word       at 5,000  tokens/s     sentence  (no end)    at 5,000 / 200   an end, chars")
    for sample in samples():
        _print(_line(sample))
    _print("\nhard input       10 kB ms   20 kB ms   ratio   (character by character, then as one delta)")
    for language, texts in HARD.items():
        for text in texts:
            _print(_hard_line(text, language))


def samples() -> Iterator[Sample]:
    for code in available():
        path = _TEXTS / f"{code}.txt"
        if path.is_file():
            *sources, sentences = path.read_text(encoding="utf-8").split("\n\n")
            yield Sample(code, tuple(sources), tuple(sentences.splitlines()))


def _line(sample: Sample) -> str:
    short, long, quoted = map(_deltas, (sample.answer(200), sample.answer(5_000), sample.quotes(200)))
    warm = sample.sources()
    at_200 = _best(lambda: _run(sample, short, sample.sources()), 30)
    at_quoted = _best(lambda: _run(sample, quoted, sample.sources()), 30)
    at_5000 = _best(lambda: _run(sample, long, sample.sources()), 5)
    warm_short, warm_long = _best(lambda: _run(sample, short, warm), 30), _best(lambda: _run(sample, long, warm), 5)
    passthrough = _best(lambda: _pass(long), 5)
    sentences = _run(sample, long, warm)
    growth = (warm_long / len(long)) / (warm_short / len(short))
    rates = (len(short) / at_200, len(quoted) / at_quoted, len(long) / at_5000, len(long) / passthrough)
    costs = f"{warm_long / sentences * 1e6:>9.1f} {_plain_delta(sample) * 1e6:>11.2f} {growth:>15.2f}"
    columns = "".join(f"{rate:>11,.0f}" for rate in rates)
    return f"{sample.language:<5}{columns}{costs} {_delay(sample):>15}"


def _run(sample: Sample, deltas: Sequence[str], sources: Sequence[Source]) -> int:
    """The number of sentences released; a stop would make the measure worthless."""
    latch = Latch(sample.language, sources, RULES)
    released = sum(len(latch.feed(delta)) for delta in deltas) + len(latch.flush())
    if latch.stop:
        raise AssertionError(f"{sample.language}: {latch.stop}")
    return released


def _pass(deltas: Sequence[str]) -> int:
    return sum(len(delta) for delta in deltas)


def _plain_delta(sample: Sample) -> float:
    """Seconds for a delta in which nothing ends."""

    def feed() -> None:
        latch = Latch(sample.language, ())
        for _ in range(200):
            latch.feed("words")

    return _best(feed, 20) / 200


def _delay(sample: Sample) -> int:
    """The most visible characters that arrive after the end of a sentence before it is released."""
    text = sample.answer(200)
    latch = Latch(sample.language, sample.sources(), RULES)
    worst = 0
    for place, character in enumerate(text, 1):
        for sentence in latch.feed(character):
            worst = max(worst, sum(not each.isspace() for each in text[sentence.end : place]))
    return worst


def _hard_line(text: str, language: str) -> str:
    columns: list[str] = []
    for cut in (1, 20_000):
        small, large = (_best(partial(_hard_run, text, language, size, cut), 3) for size in (10_000, 20_000))
        columns.append(f"{small * 1e3:>9.1f} {large * 1e3:>10.1f} {large / small:>8.2f}")
    return f"{language} {text!r:<14}" + "    ".join(columns)


def _hard_run(text: str, language: str, size: int, cut: int) -> None:
    stream = (text * size)[:size]
    latch = Latch(language, [Source(stream, language)], RULES)
    for start in range(0, size, cut):
        latch.feed(stream[start : start + cut])
    latch.flush()


def _deltas(text: str) -> list[str]:
    ends = [round(number * CHARACTERS_A_TOKEN) for number in range(int(len(text) / CHARACTERS_A_TOKEN) + 2)]
    return [text[start:end] for start, end in pairwise(ends) if text[start:end]]


def _best(action: Callable[[], object], runs: int) -> float:
    best = float("inf")
    for _ in range(runs):
        start = time.process_time()
        action()
        best = min(best, time.process_time() - start)
    return best


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")
