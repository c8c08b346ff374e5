"""What a run's figures belong to: embedder, embedding space, corpus, code, floors and provider."""

from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from assistant import floors, prompts
from guardrails.floor import Floors
from metering.embedders import embedder
from metering.errors import EmbeddingUnavailable
from records import corpus, spaces
from records.models import RecordVersion, SearchEntry

GIT = Path(__file__).resolve().parent.parent / ".git"


@dataclass(frozen=True, slots=True)
class Ground:
    """`embedder` is this process's, "none" where it has none; `space` is that of the vectors which search reads.

    `space` and `corpus` are fingerprints; `space` is empty where nothing is embedded.
    """

    embedder: str
    embeds: bool  # whether questions are embedded into that space
    space: str
    corpus: str
    code: str
    provider: str  # and its model
    prompt: str
    top_k: int
    floors: Floors
    versions: int
    passages: int
    without_vector: int

    @classmethod
    def now(cls) -> "Ground":
        """Read it from the database and the settings."""
        space = spaces.active()
        used = _embedder_name()
        entries = SearchEntry.objects.all()
        return cls(
            embedder=used,
            embeds=space is not None and space.embedder == used,
            space=space.fingerprint if space else "",
            corpus=corpus.fingerprint(),
            code=commit(),
            provider=" ".join(filter(None, (settings.TRAVA.LLM_PROVIDER, settings.TRAVA.LLM_MODEL))),
            prompt=prompts.version(),
            top_k=settings.TRAVA.TOP_K,
            floors=floors.current(),
            versions=RecordVersion.objects.filter(retired_at=None).count(),
            passages=entries.count(),
            without_vector=entries.filter(vector=None).count(),
        )


def _embedder_name() -> str:
    try:
        used = embedder()
    except EmbeddingUnavailable:
        return "none"
    return used.name if used else "none"


def commit(git: Path = GIT) -> str:
    """Return the commit that is checked out, empty where there is no git. Says nothing of uncommitted changes."""
    head = _read(git / "HEAD")
    if not head.startswith("ref: "):
        return head
    reference = head.removeprefix("ref: ")
    packed = (line.split() for line in _read(git / "packed-refs").splitlines() if line[:1] not in {"#", "^"})
    return _read(git / reference) or next((value for value, name in packed if name == reference), "")


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8").strip() if path.is_file() else ""
