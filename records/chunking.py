"""From Markdown to the plain text of a version, its sections and its passages. Pure.

Passages are ranges of that text: whole paragraphs of one section packed to 100 to 150 words, a longer paragraph
cut between sentences, never across a section or a piece of code. Headings and code belong to the text, not to
any passage.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from guardrails.sentences import SentenceSplitter
from guardrails.text import HAN
from records.lexemes import rules_of
from records.markdown import Block, blocks

# Bump whenever the same Markdown may give other passages: the corpus fingerprint counts it in.
RECIPE = "sections-150-4"
MOST_WORDS = 150
_WORD = re.compile(rf"[{HAN}]|[^\s{HAN}]+")
_HAN_WORDS = 2 / 3  # three Chinese characters count as two words


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what follows it up to the next; `path` holds the headings above it too."""

    path: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """`text` is the document's text from `start` to `end`."""

    uid: str
    text: str
    section_path: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Document:
    text: str
    sections: tuple[Section, ...]
    chunks: tuple[Chunk, ...]


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    size: float  # in words


def read(markdown: str, slug: str, language: str) -> Document:
    """Take a text apart."""
    writer = _Writer(language)
    for block in blocks(markdown):
        writer.add(block)
    text, sections = writer.finish()
    chunks: list[Chunk] = []
    for section, spans in sections:
        for span in spans:
            own = text[span.start : span.end]
            name = uid(slug, language, own, sum(start < span.start for start in occurrences(own, text)))
            chunks.append(Chunk(name, own, section.path, span.start, span.end))
    return Document(text, tuple(section for section, _ in sections), tuple(chunks))


def uid(slug: str, language: str, text: str, occurrence: int) -> str:
    """Return a passage's id: the same for the same text of a record, wherever it stands in it.

    `occurrence` is how often that text stands before it: counted in the text, not among passages, so that it is the
    same however the text is cut.
    """
    name = "\0".join((slug, language, text, str(occurrence)))
    return hashlib.sha256(name.encode()).hexdigest()[:24]


def occurrences(part: str, text: str) -> Iterator[int]:
    """Yield where a part begins in a text, overlapping ones too."""
    start = text.find(part)
    while start >= 0:
        yield start
        start = text.find(part, start + 1)


class _Writer:
    """Writes blocks one after the other into one text and keeps what stands where."""

    def __init__(self, language: str) -> None:
        self._language = rules_of(language)
        self._parts: list[str] = []
        self._length = 0
        self._headings: list[tuple[int, str]] = []
        self._section_start = 0
        self._runs: list[list[_Span]] = [[]]
        self._sections: list[tuple[Section, list[_Span]]] = []

    def add(self, block: Block) -> None:
        if block.kind == "heading":
            self._close_section()
            self._headings = [above for above in self._headings if above[0] < block.level]
            self._headings.append((block.level, block.lines[0]))
        elif block.kind == "code":
            self._runs.append([])
        for number, line in enumerate(block.lines):
            start = self._write(line, "\n" if number else "\n\n")
            if block.kind == "prose":
                self._runs[-1] += self._spans(line, start)

    def finish(self) -> tuple[str, list[tuple[Section, list[_Span]]]]:
        self._close_section()
        return "".join(self._parts), self._sections

    def _write(self, line: str, separator: str) -> int:
        """Append a line and return where it starts."""
        if self._length:
            self._parts.append(separator)
            self._length += len(separator)
        start = self._length
        self._parts.append(line)
        self._length += len(line)
        return start

    def _close_section(self) -> None:
        if self._length > self._section_start:
            path = tuple(title for _, title in self._headings)
            spans = [span for run in self._runs for span in _pack(run)]
            self._sections.append((Section(path, self._section_start, self._length), spans))
        # The next section starts behind the blank line that will part it from this one.
        self._section_start = self._length + 2 if self._length else 0
        self._runs = [[]]

    def _spans(self, line: str, offset: int) -> list[_Span]:
        """The line as one span; where it is too long for a passage, its sentences packed to parts of like size."""
        if _size(line) <= MOST_WORDS:
            return [_Span(offset, offset + len(line), _size(line))]
        splitter = SentenceSplitter(self._language)
        sentences = [*splitter.feed(line), *splitter.flush()]
        pieces = (piece for sentence in sentences for piece in _bounded(sentence.text, sentence.start))
        return _pack([_Span(offset + start, offset + end, _size(line[start:end])) for start, end in pieces])


def _pack(spans: Sequence[_Span]) -> list[_Span]:
    """Join neighbours into the fewest passages of about equal size."""
    total = sum(span.size for span in spans)
    aim = total / max(1, ceil(total / MOST_WORDS))
    packed: list[_Span] = []
    for span in spans:
        last = packed[-1] if packed else None
        if last is None or last.size >= aim or last.size + span.size > MOST_WORDS:
            packed.append(span)
        else:
            packed[-1] = _Span(last.start, span.end, last.size + span.size)
    return packed


def _bounded(sentence: str, offset: int) -> Iterator[tuple[int, int]]:
    """A sentence longer than a passage in pieces that are not: the last resort for text without full stops."""
    found = list(_WORD.finditer(sentence))
    for first in range(0, len(found), MOST_WORDS):
        piece = found[first : first + MOST_WORDS]
        yield offset + piece[0].start(), offset + piece[-1].end()


def _size(text: str) -> float:
    """The length of a text in words."""
    return sum(_HAN_WORDS if _is_han(word) else 1 for word in _WORD.findall(text))


def _is_han(word: str) -> bool:
    return len(word) == 1 and _HAN.match(word) is not None


_HAN = re.compile(f"[{HAN}]")
