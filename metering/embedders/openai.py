"""An embedder elsewhere, asked by OpenAI's /v1/embeddings, which most servers of embedding models speak.

Questions and passages are embedded alike: a model that wants a prefix of its own for either is not served well.
"""

import math
import unicodedata
from collections.abc import Sequence
from concurrent.futures import Future

import httpx2
from openai import OpenAI, OpenAIError
from openai.types import CreateEmbeddingResponse

from metering.embedders.line import Line
from metering.embedders.protocol import Told, Vector
from metering.errors import EmbeddingUnavailable
from metering.transports.failures import NOTHING_WRITTEN, failure_of
from metering.transports.reading import figure

WAITING = 64
AT_ONCE = 4  # calls
BATCH = 64  # texts in a call
CHARACTERS = 4_000  # of a text: what hosted models read at least
CONNECT_SECONDS = 3.0
QUERY_SECONDS = 9.0
PASSAGES_SECONDS = 60.0
EXTRA_TOKENS = 8  # a text, for the marks that a tokenizer puts around it
SAFE_FACTOR = 2  # as in metering.transports.charging: such models' tokenizers seldom work on bytes


class OpenAIEmbedder:
    """`name` holds model and dimensions. Loads an SDK, asks nothing before the first call."""

    def __init__(self, name: str, base_url: str, model: str, key: str, dimensions: int) -> None:
        self.name = name
        self.dimensions = dimensions
        self._model = model
        self._client = OpenAI(api_key=key, base_url=base_url, max_retries=0)
        self._line = Line("outside-embedder", WAITING, threads=AT_ONCE)

    def most_tokens(self, texts: Sequence[str]) -> int:
        """See `Embedder`."""
        apart = (unicodedata.normalize("NFKD", _readable(text)).encode() for text in texts)
        return sum(SAFE_FACTOR * len(text) + EXTRA_TOKENS for text in apart)

    def query(self, text: str, told: Told | None = None) -> Future[Vector]:
        """See `Embedder`."""
        return self._line.submit(lambda: self._embed([text], QUERY_SECONDS, told or Told())[0])

    def queries(self, texts: Sequence[str], told: Told | None = None) -> Future[list[Vector]]:
        """See `Embedder`."""
        return self.passages(texts, told)

    def passages(self, texts: Sequence[str], told: Told | None = None) -> Future[list[Vector]]:
        """See `Embedder`."""
        batch = list(texts)
        return self._line.submit(lambda: self._embed(batch, PASSAGES_SECONDS, told or Told()))

    def close(self) -> None:
        """Close the connections that are kept for later calls."""
        self._client.close()

    def _embed(self, texts: list[str], seconds: float, told: Told) -> list[Vector]:
        vectors: list[Vector] = []
        for begin in range(0, len(texts), BATCH):
            batch = [_readable(text) for text in texts[begin : begin + BATCH]]
            vectors += self._checked(self._call(batch, seconds, told), len(batch))
        return vectors

    def _call(self, batch: list[str], seconds: float, told: Told) -> CreateEmbeddingResponse:
        timeout = httpx2.Timeout(seconds, connect=CONNECT_SECONDS)
        try:
            answer = self._client.embeddings.create(
                model=self._model, input=batch, encoding_format="float", timeout=timeout
            )
        except (OpenAIError, httpx2.HTTPError, ValueError) as error:
            failure = failure_of(error)
            told.add(0 if failure.kind in NOTHING_WRITTEN else None)
            raise EmbeddingUnavailable(f"{self._model}: {failure}") from None  # its message may hold a visitor's words
        usage = getattr(answer, "usage", None)  # some servers report none, whatever the type says
        told.add(figure(getattr(usage, "prompt_tokens", None)) or None)
        return answer

    def _checked(self, answer: CreateEmbeddingResponse, wanted: int) -> list[Vector]:
        rows = sorted(answer.data or [], key=lambda row: row.index)
        if [row.index for row in rows] != list(range(wanted)):
            raise EmbeddingUnavailable(f"{self._model} was given {wanted} texts and returned {len(rows)} vectors")
        for row in rows:
            if len(row.embedding) != self.dimensions:
                found = len(row.embedding)
                raise EmbeddingUnavailable(
                    f"{self._model} makes vectors of {found} places, and EMBEDDING_DIMENSIONS is {self.dimensions}"
                )
            if not all(map(math.isfinite, row.embedding)):
                raise EmbeddingUnavailable(f"{self._model} returned what is no number")
        return [row.embedding for row in rows]


def _readable(text: str) -> str:
    """Return what can be sent: without NUL and lone surrogates, cut, and never empty, which servers refuse."""
    return text[:CHARACTERS].replace("\0", " ").encode("utf-8", "ignore").decode("utf-8") or " "
