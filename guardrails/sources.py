"""A source as the latch needs it, prepared on first use: a source that no sentence cites costs nothing.

It can be shared between turns; preparing it twice at once gives the same result.
"""

import re
from bisect import bisect_right

from guardrails.lazily import lazily
from guardrails.negation import denies
from guardrails.plain import plain
from guardrails.quotes import running_words
from guardrails.text import content_words, fold
from guardrails.values import ValueIndex
from guardrails.verbatim import says_sentence

_END = re.compile(r"[.!?؟।۔。！？\n](?:\s+|(?<=[。！？\n]))")


class SourceSentence:
    """A sentence of a source, read when it is first asked about; `start` is its place in the source."""

    def __init__(self, text: str, language: str, start: int) -> None:
        self.start = start
        self._text = text
        self._language = language

    @lazily
    def words(self) -> frozenset[str]:
        """The content words, folded; those of all sentences are those of the source."""
        return frozenset(content_words(self._text, self._language))

    @lazily
    def denies(self) -> bool:
        return denies(plain(self._text), self._language)


class Source:
    """A delivered source: its own text, without context, and the language it is written in.

    `title` is the name that the site gives it. A sentence may quote it; it is no evidence for anything else.
    `current`: its owner says that it holds today; None: nobody says whether it does.
    """

    def __init__(self, text: str, language: str, title: str = "", *, current: bool | None = None) -> None:
        self.text = text
        self.language = language
        self.title = title
        self.current = current

    @lazily
    def plain(self) -> str:
        return plain(self.text)

    @lazily
    def folded(self) -> str:
        return fold(self.text).text

    @lazily
    def values(self) -> ValueIndex:
        return ValueIndex(self.plain, self.language)

    def says(self, plain_sentence: str) -> bool:
        """Whether a sentence of the source is this one, word for word."""
        return says_sentence(self.plain, plain_sentence)

    @lazily
    def running_words(self) -> str:
        return running_words(self.text)

    @lazily
    def title_words(self) -> str:
        """The title in the form of `running_words`; empty where there is none."""
        return running_words(self.title).strip()

    @lazily
    def content_words(self) -> frozenset[str]:
        """The content words, folded."""
        return frozenset(content_words(self.text, self.language))

    @lazily
    def sentences(self) -> tuple[SourceSentence, ...]:
        """Cut at every full stop: what is within an abbreviation makes two pieces of one, which comparing does not
        mind."""
        found: list[SourceSentence] = []
        start = 0
        for end, after in (*(gap.span() for gap in _END.finditer(self.text)), (len(self.text), 0)):
            if end > start:
                found.append(SourceSentence(self.text[start:end], self.language, start))
            start = after
        return tuple(found)

    def sentence_with(self, word: str) -> SourceSentence | None:
        """The sentence in which a word stands first, where it is written as it is folded, but for its case."""
        place = (self.plain if len(self.plain) == len(self.text) else self.text).find(word)
        return self.sentences[max(0, bisect_right(self._starts, place) - 1)] if place >= 0 and self.sentences else None

    @lazily
    def _starts(self) -> list[int]:
        return [sentence.start for sentence in self.sentences]
