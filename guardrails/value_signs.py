"""Where a plain text may have values: its addresses, digits, numerals and number words, each looked for once.

A text without signs has no value. What the signs mean is read in `value_items`.
"""

import re
from collections.abc import Iterator, Sequence

from guardrails import addresses
from guardrails.addresses import Address
from guardrails.lazily import lazily
from guardrails.number_words import Lexicon
from guardrails.numerals import tokens
from guardrails.plain import parted


class Signs:
    """The signs of one text. In `text` the addresses are blanked out: digits inside one are no values of their own.

    `spaced` is the form by `parted`, where it is known; `numerals` finds runs of Chinese numerals.
    """

    def __init__(
        self, plain: str, lexicon: Lexicon, numerals: re.Pattern[str] | None, spaced: str | None = None
    ) -> None:
        self.addresses: Sequence[Address] = addresses.find(plain)
        self.text = _without(plain, self.addresses) if self.addresses else plain
        self.digits = list(tokens(self.text))
        self.has_numerals = numerals is not None and numerals.search(self.text) is not None
        self._spaced = None if self.addresses else spaced
        self._lexicon = lexicon
        self._numerals = numerals

    @lazily
    def bounded(self) -> str:
        """The text by `parted`, with a space before and behind it."""
        return f" {parted(self.text) if self._spaced is None else self._spaced} "

    @lazily
    def words(self) -> list[re.Match[str]]:
        """The words in `bounded` without which the text has no number in words and no month."""
        return self._lexicon.sure(self.bounded)

    def __bool__(self) -> bool:
        return bool(self.digits or self.addresses or self.has_numerals or self.words)

    def places(self) -> Iterator[tuple[int, int]]:
        """Where something stands without which the text has no value but an address."""
        yield from (match.span() for match in self.digits)
        if self._numerals is not None and self.has_numerals:
            yield from (match.span() for match in self._numerals.finditer(self.text))
        yield from ((match.start(), match.end() - 1) for match in self.words)


def _without(text: str, found: Sequence[Address]) -> str:
    ends = [0, *(address.end for address in found)]
    between = [
        text[end : address.start] + "\0" * (address.end - address.start)
        for end, address in zip(ends, found, strict=False)
    ]
    return "".join((*between, text[ends[-1] :]))
