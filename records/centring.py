"""Centring: subtracting what all texts of a language share, so that languages can be compared.

Raw cosine of multilingual-e5 prefers passages in the question's own language. The mean vector of a language's
background sentences, one for questions and one for passages, is subtracted and the rest normalised again.
A floor belongs to an embedder and its means together.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from metering.embedders import Vector
from records.models import EmbeddingSpace, LanguageMean

Role = LanguageMean.Role


@dataclass(frozen=True)
class Centring:
    """The means of one space: by language and role, and over all languages for one without background."""

    means: Mapping[tuple[str, str], Vector]
    overall: Mapping[str, Vector]

    def centre(self, vector: Sequence[float], language: str, role: Role) -> Vector:
        """Return normalise(raw - mean), of length 1."""
        subtracted = self.means.get((language, role), self.overall[role])
        return normalise([value - common for value, common in zip(vector, subtracted, strict=True)])


def mean(vectors: Iterable[Sequence[float]]) -> Vector:
    """Return the mean of at least one vector."""
    columns = zip(*vectors, strict=True)
    return [math.fsum(column) / len(column) for column in columns]


def normalise(vector: Sequence[float]) -> Vector:
    """Return the vector at length 1; one of length 0 stays, and is similar to nothing."""
    length = math.hypot(*vector) or 1.0
    return [value / length for value in vector]


def centring_of(space: EmbeddingSpace) -> Centring:
    """Return the centring of a space; its means never change, so they are read once a process."""
    return _centring(space.fingerprint)


@lru_cache(maxsize=4)
def _centring(fingerprint: str) -> Centring:
    rows = LanguageMean.objects.filter(space__fingerprint=fingerprint)
    means = {(row.language, row.role): list(row.vector) for row in rows}
    overall = {str(role): mean(vector for (_, other), vector in means.items() if other == role) for role in Role}
    return Centring(means, overall)
