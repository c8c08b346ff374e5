"""From texts to vectors: a version's passages, each text once ever, and a reader's question.

Passages answer by keyword before this runs, and by vector batch by batch while it does.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from metering.embedders import Embedder, Vector, embedder
from metering.embedding import embed_passages, embed_query
from metering.errors import BudgetExhausted, EmbeddingUnavailable, LedgerUnavailable, PriceUnknown
from records import index_vectors, spaces, vectors
from records.centring import Role, centring_of
from records.context import embedded_text
from records.models import PassageEmbedding, SearchEntry

DEMO = Path(__file__).parent / "demo" / "vectors.txt"
_known: ContextVar[dict[str, Vector] | None] = ContextVar("known_questions", default=None)
BATCH = 4  # about two seconds: what a killed worker loses, and what a question in the same process waits


def query_vector(text: str, language: str, subject: str, shares: tuple[str, ...] = ()) -> Vector | None:
    """Return the question's centred vector, or None where nothing is embedded by today's embedder.

    Raises EmbeddingUnavailable, whatever the reason: the search goes on by keyword.
    """
    used, space = embedder(), spaces.active()
    if used is None or space is None or space.embedder != used.name:
        return None
    try:
        raw = _raw_query(text, subject, shares)
    except (BudgetExhausted, LedgerUnavailable, PriceUnknown) as error:
        raise EmbeddingUnavailable("the question's embedding can't be paid for") from error
    return centring_of(space).centre(raw, language, Role.QUERY)


@contextmanager
def knowing_questions(known: dict[str, Vector]) -> Iterator[None]:
    """Within, raw vectors of questions are taken from `known`, by text, and what is embedded is added to it."""
    before = _known.set(known)
    try:
        yield
    finally:
        _known.reset(before)


def _raw_query(text: str, subject: str, shares: tuple[str, ...]) -> Vector:
    known = _known.get()
    if known is None:
        return embed_query(text, subject, shares)
    if text not in known:
        known[text] = embed_query(text, subject, shares)
    return known[text]


def embed_version(version_id: int, on_batch: Callable[[], None]) -> None:
    """Embed what is new in a version's live passages and show it to search; raise any MeteringError.

    Without an embedder nothing happens. It commits batch by batch, so it must not run inside a transaction.
    """
    used = embedder()
    if used is None:
        return
    space = spaces.prepare(used)
    missing = _missing_texts(version_id, used.name)
    if missing:
        shipped = vectors.read(DEMO, used.name)
        _keep(used, {key: shipped[key] for key in missing if key in shipped})
        to_embed = [key for key in missing if key not in shipped]
        for begin in range(0, len(to_embed), BATCH):
            index_vectors.bring_in(space, version_id)
            keys = to_embed[begin : begin + BATCH]
            made = embed_passages([missing[key] for key in keys], f"version {version_id}")
            _keep(used, dict(zip(keys, made, strict=True)))
            on_batch()
    index_vectors.bring_in(space, version_id)


def _missing_texts(version_id: int, embedder_name: str) -> dict[str, str]:
    """Return, by content hash, the texts of live passages that have no raw vector yet."""
    entries = SearchEntry.objects.filter(placement__version_id=version_id).select_related(
        "placement__version", "placement__passage"
    )
    texts = {
        entry.content_hash: embedded_text(entry.placement.version.title, entry.placement.passage.text)
        for entry in entries.order_by("placement__ordinal")
    }
    known = PassageEmbedding.objects.filter(embedder=embedder_name, content_hash__in=texts)
    for key in known.values_list("content_hash", flat=True):
        del texts[key]
    return texts


def _keep(used: Embedder, raw: dict[str, Vector]) -> None:
    PassageEmbedding.objects.bulk_create(
        (PassageEmbedding(embedder=used.name, content_hash=key, vector=vector) for key, vector in raw.items()),
        ignore_conflicts=True,
    )
