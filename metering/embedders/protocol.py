"""The seam: what every embedder does. It moves no money; `metering.embedding` does that around each call."""

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Protocol

Vector = list[float]
"""Raw, of the embedder's dimensions; a list because pgvector's field takes and returns one."""


@dataclass(slots=True)
class Told:
    """What an embedder says that a call used, in tokens; None: nothing, or not of every part."""

    tokens: int | None = None
    _parts: int = 0

    def add(self, tokens: int | None) -> None:
        """Take in what was said of one part."""
        unknown = tokens is None or (self._parts and self.tokens is None)
        self.tokens = None if unknown else (self.tokens or 0) + (tokens or 0)
        self._parts += 1


class Embedder(Protocol):
    """Turns text into vectors, on threads of its own: a call returns at once.

    A call raises EmbeddingUnavailable when too many are waiting, and a future carries it when the work failed.
    Cancelling a future that has not begun takes it out of the queue. Any string is taken: what the model can't
    read (NUL, lone surrogates) is left out, what is longer than it reads is cut.
    """

    @property
    def name(self) -> str:
        """Model and version. Vectors of different names are never compared."""

    @property
    def dimensions(self) -> int:
        """The length of every vector."""

    def most_tokens(self, texts: Sequence[str]) -> int:
        """Return an upper bound of the tokens that these texts are."""

    def query(self, text: str, told: Told | None = None) -> Future[Vector]:
        """Embed a question; `told` is filled in where the embedder reports what it used."""

    def queries(self, texts: Sequence[str], told: Told | None = None) -> Future[list[Vector]]:
        """Embed questions; as many vectors as texts, in their order."""

    def passages(self, texts: Sequence[str], told: Told | None = None) -> Future[list[Vector]]:
        """Embed passages; as many vectors as texts, in their order."""
