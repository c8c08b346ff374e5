"""A source as the latch needs it, prepared on first use: a source that no sentence cites costs nothing.

It can be shared between turns; preparing it twice at once gives the same result.
"""

import re

from guardrails.lazily import lazily
from guardrails.negation import denies
from guardrails.plain import plain
from guardrails.quotes import running_words
from guardrails.text import content_words
from guardrails.value_reading import Value
from guardrails.values import ValueIndex
from guardrails.verbatim import says_sentence

_ENDS = re.compile(r"(?<=[.!?؟।۔])\s+|(?<=[。！？])|\n+")


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
    def values(self) -> ValueIndex:
        return ValueIndex(self.plain, self.language)

    def says(self, plain_sentence: str) -> bool:
        """Whether a sentence of the source is this one, word for word."""
        return says_sentence(self.plain, plain_sentence)

    def supports(self, value: Value, plain_sentence: str, language: str) -> bool:
        """Whether the source holds a value of a sentence in some language."""
        if language == self.language and self.values.has_alike(value.start, value.end, plain_sentence):
            return True
        return self.values.supports(value)

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
