"""A sentence on its way through the belt, with what the guards share about it worked out once."""

from collections.abc import Sequence
from dataclasses import dataclass

from guardrails import addresses, leak, quotes, values
from guardrails.addresses import Address
from guardrails.lazily import lazily
from guardrails.leak import LeakDecision, LeakRules
from guardrails.negation import denies
from guardrails.plain import parted, plain
from guardrails.quotes import Quotation, Quoted
from guardrails.sources import Source
from guardrails.text import fold
from guardrails.value_reading import Value
from guardrails.value_signs import Signs


@dataclass(frozen=True, slots=True)
class LatchRules:
    """What the owner sets: URLs must belong to `domains` where any are listed; without `leak` rules personal data
    is not looked for; `support` switches the fifth check on. `by_model`: the answer is a model's, and may decline.
    `instructions`: what it was told, which it must not repeat."""

    domains: tuple[str, ...] = ()
    leak: LeakRules | None = None
    support: bool = False
    by_model: bool = False
    instructions: str = ""


class Candidate:
    """A sentence without its markers, the numbers they gave, and the delivered sources. `ordinal` counts from 0."""

    def __init__(
        self,
        text: str,
        numbers: tuple[int, ...],
        language: str,
        sources: Sequence[Source],
        rules: LatchRules,
        open_quote: str = "",
        ordinal: int = 0,
    ) -> None:
        self.text = text
        self.numbers = numbers
        self.language = language
        self.sources = sources
        self.rules = rules
        self.ordinal = ordinal
        self._open_quote = open_quote
        self.plain = plain(text)
        self._spaced = parted(self.plain)
        # The rough words of the plain form.
        self.words = self._spaced.split()

    def denies(self) -> bool:
        return denies(self.plain, self.language, self.words)

    @lazily
    def cited(self) -> tuple[Source, ...]:
        """The sources that the markers name, as far as they were delivered."""
        if not self.numbers:
            return ()
        return tuple(self.sources[number - 1] for number in self.numbers if 1 <= number <= len(self.sources))

    @lazily
    def comparable(self) -> list[Source]:
        """The cited sources in the sentence's language."""
        return [source for source in self.cited if source.language == self.language]

    @lazily
    def is_quoted(self) -> bool:
        """Whether a comparable source has the very sentence, and so all that it says."""
        return any(source.says(self.plain) for source in self.comparable)

    @lazily
    def has_values_alike(self) -> bool:
        """Whether the comparable sources have every place of a value in the same words."""
        alike = [source.values for source in self.comparable]
        if not alike or self.signs.addresses:
            return False
        for start, end in self.signs.places():
            if not any(source.has_alike(start, end, self.plain) for source in alike):
                return False
        return True

    @lazily
    def signs(self) -> Signs:
        """Where the plain form may have values."""
        return values.signs(self.plain, self.language, self._spaced)

    @property
    def addresses(self) -> Sequence[Address]:
        """The addresses of what it claims."""
        return self.signs.addresses if self.claimed is self.plain else addresses.find(self.claimed)

    @lazily
    def claimed(self) -> str:
        """The plain form without the quoted titles of cited sources: a title's number is no claim."""
        if not self.quotations:
            return self.plain
        named = {source.title_words for source in self.cited if source.title_words}
        spans = [span for span in self.quotations if quotes.running_words(span.words).strip() in named] if named else []
        return plain(quotes.mask(self.text, spans)) if spans else self.plain

    @lazily
    def values(self) -> list[Value]:
        return values.demanded(self.claimed, self.language, self.signs if self.claimed is self.plain else None)

    def holds(self, value: Value) -> bool:
        """Whether a cited source holds a value of what it claims, or a comparable one has it in the same words."""
        place = (value.start, value.end, self.claimed)
        alike = any(source.values.has_alike(*place) for source in self.comparable)
        return alike or any(source.values.supports(value) for source in self.cited)

    @lazily
    def folded(self) -> str:
        return fold(self.text).text

    @lazily
    def quoted(self) -> Quoted:
        return quotes.find(self.text, self.language, self._open_quote)

    @property
    def quotations(self) -> tuple[Quotation, ...]:
        return self.quoted.quotations

    @property
    def cited_words(self) -> list[str]:
        return [words for source in self.cited for words in (source.running_words, f" {source.title_words} ")]

    def without_quoted(self) -> str:
        """The text with the quotations and titles that stand in a source blanked out."""
        sources = self.cited_words or [source.running_words for source in self.sources]
        spans = (*self.quotations, *quotes.titles(self.text, self.language))
        return quotes.mask(self.text, [span for span in spans if quotes.stands_in(span, sources)])

    @lazily
    def leak(self) -> LeakDecision | None:
        return leak.check(self.text, self.rules.leak) if self.rules.leak else None
