"""A source as the latch needs it, prepared on first use: a source that no sentence cites costs nothing.

It can be shared between turns; preparing it twice at once gives the same result.
"""

import re

from guardrails.lazily import lazily
from guardrails.negation import denies
from guardrails.plain import plain
from guardrails.quotes import running_words
from guardrails.text import content_words
from guardrails.values import ValueIndex

_STOPS = ".!?。！？।؟۔…"
# Where a sentence begins for certain, and where it ends: the point in 3.5 does neither.
_ENDED = re.compile(r"(?:[.!?؟।۔…]\s+|[。！？]\s*|\n\s*)\Z")
_ENDING = re.compile(r"[.!?؟।۔…]*(?:\s*\n|\Z)|[.!?؟।۔…]+\s|[。！？]")
_ENDS = re.compile(r"(?<=[.!?؟।۔])\s+|(?<=[。！？])|\n+")


class Source:
    """A delivered source: its own text, without context, and the language it is written in.

    `title` is the name that the site gives it. A sentence may quote it; it is no evidence for anything else.
    """

    def __init__(self, text: str, language: str, title: str = "") -> None:
        self.text = text
        self.language = language
        self.title = title

    @lazily
    def plain(self) -> str:
        return plain(self.text)

    @lazily
    def values(self) -> ValueIndex:
        return ValueIndex(self.plain, self.language)

    def says(self, plain_sentence: str) -> bool:
        """Whether a sentence of the source is this one, word for word."""
        wanted = plain_sentence.strip().rstrip(_STOPS)
        place = self.plain.find(wanted) if wanted else -1
        if place < 0:
            return False
        before = self.plain[max(0, place - 4) : place]
        return (not place or _ENDED.search(before) is not None) and _ENDING.match(
            self.plain, place + len(wanted)
        ) is not None

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
    def sentences(self) -> tuple[tuple[frozenset[str], bool], ...]:
        """The content words of each sentence, and whether it denies. Cut at every full stop: what is within an
        abbreviation makes two pieces of one, which comparing does not mind."""
        pieces = filter(None, _ENDS.split(self.text))
        return tuple(
            (frozenset(content_words(piece, self.language)), denies(plain(piece), self.language)) for piece in pieces
        )
