"""A publication tried out: in a transaction that its caller rolls back, search finds what it would find afterwards.

Vectors are made before, since embedding takes seconds and commits what it books; nothing of them is kept. Where no
space of today's embedder is active, the rehearsal goes by keyword alone: a space is never switched in it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from metering.embedders import Embedder, Vector, embedder
from metering.embedding import embed_passages
from records import index_vectors, spaces
from records.context import content_hash, embedded_text
from records.models import EmbeddingSpace, PassageEmbedding, Record, RecordVersion
from records.publishing import drafted

BATCH = 4  # passages embedded at once, about two seconds' work


@dataclass(frozen=True, slots=True)
class Drafted:
    """Raw vectors of passages that publishing would put in, by content hash, and the language of each."""

    vectors: Mapping[str, Vector]
    languages: Mapping[str, str]


def space_of(used: Embedder | None) -> EmbeddingSpace | None:
    """Return the active space where it is this embedder's of today, else None."""
    space = spaces.active()
    return space if used and space and space.fingerprint == spaces.fingerprint(used.name) else None


def embed_drafts(records: Sequence[Record], on_batch: Callable[[], None]) -> Drafted:
    """Embed what the drafts would bring and nobody embedded yet; raise any MeteringError.

    It books what it costs, so it must not run inside a transaction.
    """
    used = embedder()
    if used is None or space_of(used) is None:
        return Drafted({}, {})
    texts: dict[str, str] = {}
    languages: dict[str, str] = {}
    for draft, document in (each for record in records for each in drafted(record)):
        for chunk in document.chunks:
            key = content_hash(draft.title, chunk.text)
            texts[key], languages[key] = embedded_text(draft.title, chunk.text), draft.language
    known = PassageEmbedding.objects.filter(embedder=used.name, content_hash__in=texts)
    vectors: dict[str, Vector] = dict(known.values_list("content_hash", "vector"))
    missing = [key for key in texts if key not in vectors]
    for begin in range(0, len(missing), BATCH):
        keys = missing[begin : begin + BATCH]
        made = embed_passages([texts[key] for key in keys], "drafts tried out")
        vectors |= dict(zip(keys, made, strict=True))
        on_batch()
    return Drafted(vectors, languages)


def perform(act: Callable[[Record], list[RecordVersion]], records: Sequence[Record], drafts: Drafted) -> None:
    """Do it within the caller's transaction, vectors included. Only a rollback makes a rehearsal of it."""
    made = [version for record in records for version in act(record)]
    used = embedder()
    space = space_of(used)
    if used is None or space is None:
        return
    PassageEmbedding.objects.bulk_create(
        (
            PassageEmbedding(embedder=used.name, content_hash=key, vector=vector)
            for key, vector in drafts.vectors.items()
        ),
        ignore_conflicts=True,
    )
    for version in made:
        index_vectors.fill(space, version.pk)
