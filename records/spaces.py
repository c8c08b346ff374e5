"""Embedding spaces: an embedder together with the means of today's background sentences.

A space is named by what it is made from, so the same parts always give the same space. Which space is active,
and the vectors that search reads, are `index_vectors`' affair.
"""

import hashlib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from django.db import transaction

from metering.embedders import Embedder, Vector
from metering.embedding import embed_passages, embed_query
from records import vectors
from records.centring import Role, mean
from records.models import EmbeddingSpace, LanguageMean

BACKGROUND = Path(__file__).parent / "background"
SHIPPED = BACKGROUND / "vectors.txt"
SUBJECT = "background"


@cache
def background() -> Mapping[str, tuple[str, ...]]:
    """Return the background sentences by language."""
    return {
        path.stem: tuple(path.read_text("utf-8").splitlines())
        for path in sorted(BACKGROUND.glob("*.txt"))
        if path != SHIPPED
    }


def fingerprint(embedder: str) -> str:
    """Return the name of the space that this embedder and today's background make."""
    digest = hashlib.sha256(embedder.encode())
    for language, sentences in background().items():
        digest.update("\n".join(["", language, *sentences]).encode())
    return digest.hexdigest()


def active() -> EmbeddingSpace | None:
    """Return the space whose vectors search reads now."""
    return EmbeddingSpace.objects.filter(active=True).first()


def prepare(embedder: Embedder) -> EmbeddingSpace:
    """Return the space of this embedder, made with its means where it is new; raise any MeteringError."""
    name = fingerprint(embedder.name)
    existing = EmbeddingSpace.objects.filter(fingerprint=name).first()
    if existing:
        return existing
    raw = background_vectors(embedder.name)
    means = {
        (language, role): mean(raw[key(role, sentence)] for sentence in sentences)
        for language, sentences in background().items()
        for role in Role
    }
    with transaction.atomic():
        space, created = EmbeddingSpace.objects.get_or_create(
            fingerprint=name, defaults={"embedder": embedder.name, "dimensions": embedder.dimensions}
        )
        if created:
            LanguageMean.objects.bulk_create(
                LanguageMean(space=space, language=language, role=role, vector=vector)
                for (language, role), vector in means.items()
            )
    return space


def key(role: Role, sentence: str) -> str:
    """Return the key of a background sentence's vector among the shipped ones."""
    return hashlib.sha256(f"{role}\n{sentence}".encode()).hexdigest()


def background_vectors(embedder: str) -> dict[str, Vector]:
    """Return the raw vectors of all background sentences in both roles, embedding what did not ship."""
    shipped = vectors.read(SHIPPED, embedder)
    return {name: shipped.get(name) or _embed(role, sentence) for role, sentence, name in _all_keys()}


def _all_keys() -> Iterator[tuple[Role, str, str]]:
    for sentences in background().values():
        for sentence in sentences:
            for role in Role:
                yield role, sentence, key(role, sentence)


def _embed(role: Role, sentence: str) -> Vector:
    if role is Role.QUERY:
        return embed_query(sentence, SUBJECT)
    return embed_passages([sentence], SUBJECT)[0]
