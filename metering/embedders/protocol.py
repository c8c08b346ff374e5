"""The seam: what every embedder does. It moves no money; `metering.embedding` does that around each call."""

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Protocol

Vector = list[float]
"""Raw, of the embedder's dimensions; a list because pgvector's field takes and returns one."""


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

    def query(self, text: str) -> Future[Vector]:
        """Embed a question."""

    def passages(self, texts: Sequence[str]) -> Future[list[Vector]]:
        """Embed passages; as many vectors as texts, in their order."""
