"""Quotations in a sentence, and whether they stand word for word in a source.

A quotation of six words or more (nine Chinese characters) must stand in a cited source. Punctuation, case and line
breaks don't count; an omission (…) parts a quotation into pieces that must each stand there.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from guardrails.language import load
from guardrails.plain import WORD, plain

_LEAST_WORDS = 6
_LEAST_CHARACTERS = 9
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff]")
_OMISSION = re.compile(r"\[(?:…|\.{3})\]|…|\.{3}")
_STRAIGHT = '"[^"]+"'
_SINGLE = re.compile(r"(?P<opening>(?<!\w)'(?=\S))|(?<=\S)'(?!\w)")
_ITALIC = r"(?<![\w*])\*(?=[^\s*])[^*\n]{1,200}\*(?![\w*])|(?<![\w_])_(?=[^\s_])[^_\n]{1,200}_(?![\w_])"


@dataclass(frozen=True, slots=True)
class Quotation:
    """The words between quotation marks; `start` and `end` take the marks in."""

    words: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Quoted:
    """The quotations of a sentence, and the marks that close the one that the next sentence begins inside, if any."""

    quotations: tuple[Quotation, ...]
    open_until: str


_NOTHING_QUOTED = Quoted((), "")


def find(sentence: str, language: str, open_until: str = "") -> Quoted:
    """The quotations of a sentence that may begin inside one."""
    marks = _marks(language)
    if not open_until and not marks.any.search(sentence):
        return Quoted(tuple(_single(sentence)), "") if "'" in sentence else _NOTHING_QUOTED
    found: list[Quotation] = []
    start = 0
    if open_until:
        ends = [end for mark in open_until if (end := sentence.find(mark)) >= 0]
        if not ends:
            return Quoted((Quotation(sentence, 0, len(sentence)),), open_until)
        found.append(Quotation(sentence[: min(ends)], 0, min(ends) + 1))
        start = min(ends) + 1
    for match in marks.quotation.finditer(sentence, start):
        text = match.group()
        closings = marks.closings.get(text[0], text[0])
        if len(text) < 2 or text[-1] not in closings:
            found.append(Quotation(text[1:], match.start(), match.end()))
            return Quoted(tuple(found), closings)
        found.append(Quotation(text[1:-1], match.start(), match.end()))
    return Quoted((*found, *_single(sentence)), "")


def _single(sentence: str) -> Iterator[Quotation]:
    """What stands between straight single marks; an apostrophe inside a word is none."""
    opened = -1
    for mark in _SINGLE.finditer(sentence):
        if mark["opening"]:
            opened = mark.start() if opened < 0 else opened
        elif opened >= 0:
            yield Quotation(sentence[opened + 1 : mark.start()], opened, mark.end())
            opened = -1


def titles(sentence: str, language: str) -> list[Quotation]:
    """What stands in title marks or italics."""
    expression = _marks(language).title
    return [Quotation(match.group()[1:-1], match.start(), match.end()) for match in expression.finditer(sentence)]


def is_long(quotation: Quotation) -> bool:
    """Whether a quotation is long enough to need its source."""
    characters = len(_HAN.findall(quotation.words))
    return characters >= _LEAST_CHARACTERS or len(WORD.findall(quotation.words)) >= _LEAST_WORDS


def stands_in(quotation: Quotation, sources: Iterable[str]) -> bool:
    """Whether one source, in its form of `running_words`, holds every piece of the quotation."""
    pieces = [piece for piece in map(running_words, _OMISSION.split(quotation.words)) if piece.strip()]
    return any(all(piece in source for piece in pieces) for source in sources)


def running_words(text: str) -> str:
    """The words of a text with single spaces between and around them; Chinese without any."""
    words = f" {' '.join(WORD.findall(plain(text)))} "
    return words.replace(" ", "") if _HAN.search(words) else words


@dataclass(frozen=True, slots=True)
class _Marks:
    any: re.Pattern[str]
    quotation: re.Pattern[str]
    title: re.Pattern[str]
    closings: dict[str, str]


@cache
def _marks(language: str) -> _Marks:
    data = load(language).quotes
    closings: dict[str, str] = {}
    for pair in data.pairs:
        closings[pair[0]] = closings.get(pair[0], "") + pair[1]
    quotation = "|".join((*(_quotation(*each) for each in closings.items()), _STRAIGHT))
    title = "|".join((*map(_closed_pair, data.titles), _ITALIC))
    return _Marks(re.compile(f'["{re.escape("".join(closings))}]'), re.compile(quotation), re.compile(title), closings)


def _quotation(opening: str, closings: str) -> str:
    opening, closings = re.escape(opening), re.escape(closings)
    # An apostrophe inside a word does not close a quotation.
    inside = rf"[^{closings}]|’(?=\w)" if "’" in closings else f"[^{closings}]"
    return rf"{opening}(?:{inside})*(?:[{closings}]|\Z)"


def _closed_pair(pair: str) -> str:
    opening, closing = map(re.escape, pair)
    return f"{opening}[^{closing}]{{1,200}}{closing}"


def mask(sentence: str, spans: Sequence[Quotation]) -> str:
    """The sentence with the quotations blanked out, of the same length."""
    for span in spans:
        sentence = sentence[: span.start] + " " * (span.end - span.start) + sentence[span.end :]
    return sentence
