"""Embedding with its costs recorded: every call is reserved, made and settled, the free ones too.

All of these block: call them on a worker thread, outside a transaction.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from typing import TypeVar

from metering.embedders import Embedder, Told, Vector, embedder
from metering.errors import EmbeddingUnavailable
from metering.ledger import reserve, settle
from metering.prices import Usage, price_of

QUERY_SECONDS = 10.0
PASSAGE_SECONDS = 30.0  # for each: half a second on a free core, many times that on a busy one
SETTLING_SECONDS = 30.0  # after the last moment at which the call may end

T = TypeVar("T")


def embed_query(text: str, subject: str, shares: tuple[str, ...] = ()) -> Vector:
    """Return the raw vector of a question; raise any MeteringError.

    `subject` is an opaque id, such as the turn's; `shares` are keys of `metering.shares`.
    """
    return _metered(_chosen(), [text], subject, QUERY_SECONDS, lambda used, told: used.query(text, told), shares)


def embed_passages(texts: Sequence[str], subject: str) -> list[Vector]:
    """Return the raw vectors of passages, in their order; raise any MeteringError."""
    if not texts:
        return []
    seconds = PASSAGE_SECONDS * len(texts)
    return _metered(_chosen(), texts, subject, seconds, lambda used, told: used.passages(texts, told))


def embed_queries(texts: Sequence[str], subject: str) -> list[Vector]:
    """Return the raw vectors of questions that nobody waits for, in their order; raise any MeteringError."""
    if not texts:
        return []
    seconds = PASSAGE_SECONDS * len(texts)
    return _metered(_chosen(), texts, subject, seconds, lambda used, told: used.queries(texts, told))


def _chosen() -> Embedder:
    chosen = embedder()
    if chosen is None:
        raise EmbeddingUnavailable("EMBEDDER is none")
    return chosen


def _metered(
    used: Embedder,
    texts: Sequence[str],
    subject: str,
    seconds: float,
    call: Callable[[Embedder, Told], Future[T]],
    shares: tuple[str, ...] = (),
) -> T:
    """Reserve, call, settle. A call that was never made costs nothing; one that was, what was told or the bound."""
    most, told = used.most_tokens(texts), Told()
    bound = price_of(used.name).bound(most, 0)
    reservation = reserve(
        bound, purpose="embedding", subject=subject, seconds=seconds + SETTLING_SECONDS, shares=shares
    )
    try:
        future = call(used, told)
    except EmbeddingUnavailable:
        settle(reservation.id)
        raise
    try:
        return future.result(timeout=seconds)
    except FutureTimeout as error:
        raise EmbeddingUnavailable(f"no vector within {seconds:.0f} s") from error
    finally:
        future.cancel()
        reported = told.tokens is not None
        tokens = told.tokens if told.tokens is not None else most
        settle(reservation.id, Usage(used.name, input_tokens=tokens, output_tokens=0, reported=reported))
