"""A source as the latch needs it, prepared on first use: a source that no sentence cites costs nothing.

It can be shared between turns; preparing it twice at once gives the same result.
"""

from functools import cached_property

from guardrails.negation import denies
from guardrails.plain import plain
from guardrails.quotes import running_words
from guardrails.text import content_words
from guardrails.values import ValueIndex


class Source:
    """A delivered source: its own text, without context, and the language it is written in.

    `title` is the name that the site gives it. A sentence may quote it; it is no evidence for anything else.
    """

    def __init__(self, text: str, language: str, title: str = "") -> None:
        self.text = text
        self.language = language
        self.title = title

    @cached_property
    def values(self) -> ValueIndex:
        return ValueIndex(plain(self.text), self.language)

    @cached_property
    def running_words(self) -> str:
        return running_words(self.text)

    @cached_property
    def title_words(self) -> str:
        """The title in the form of `running_words`; empty where there is none."""
        return running_words(self.title).strip()

    @cached_property
    def content_words(self) -> frozenset[str]:
        """The content words, folded."""
        return frozenset(content_words(self.text, self.language))

    @cached_property
    def denies(self) -> bool:
        return denies(plain(self.text), self.language)
