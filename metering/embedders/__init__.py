"""Which embedder this process uses. Importing this loads no model; the first call does."""

from threading import Lock

from django.conf import settings

from metering.embedders.protocol import Embedder, Vector

__all__ = ["Embedder", "Vector", "embedder"]

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
            from metering.embedders.bundled import BundledEmbedder

            _made[chosen] = BundledEmbedder()
        return _made[chosen]
