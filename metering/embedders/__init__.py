"""Which embedder this process uses. Importing this loads no model; the first call does."""

from threading import Lock

from django.conf import settings

from metering.embedders.protocol import Embedder, Told, Vector
from metering.errors import EmbeddingUnavailable

__all__ = ["Embedder", "Told", "Vector", "embedder"]

_lock = Lock()
_made: dict[str, Embedder] = {}


def embedder() -> Embedder | None:
    """Return the embedder that EMBEDDER names, made once a process; None for `none`.

    Raises EmbeddingUnavailable where it can't run on this machine.
    """
    chosen = settings.TRAVA.EMBEDDER
    if chosen == "none":
        return None
    with _lock:
        if chosen not in _made:
            _made[chosen] = _bundled() if chosen == "bundled" else _outside()
        return _made[chosen]


def _bundled() -> Embedder:
    from metering.embedders.bundled import BundledEmbedder

    return BundledEmbedder()


def _outside() -> Embedder:
    from metering.embedders.openai import OpenAIEmbedder

    chosen = settings.TRAVA
    if chosen.EMBEDDING_DIMENSIONS is None:
        raise EmbeddingUnavailable("EMBEDDER is openai: set EMBEDDING_DIMENSIONS")
    return OpenAIEmbedder(
        name=chosen.outside_embedder,
        base_url=chosen.EMBEDDING_BASE_URL,
        model=chosen.EMBEDDING_MODEL,
        key=chosen.EMBEDDING_API_KEY.get_secret_value(),
        dimensions=chosen.EMBEDDING_DIMENSIONS,
    )
