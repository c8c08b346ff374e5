"""The two floors in force, and whether they were calibrated on what is searched now."""

from typing import Literal

from assistant.models import Floor
from guardrails.floor import Floors
from records import corpus, spaces

# Until the owner calibrates: chosen on the tuning halves of the demo's golden sets in ten languages, with the bundled
# multilingual-e5-small (4 bit), centred (docs/measured.md). They belong to that embedder and that corpus, and are a
# guess on any other.
UNCALIBRATED = Floors(dense=0.24, words=0.6)


def current() -> Floors:
    """Return the latest floors, else the defaults of the demo."""
    latest = Floor.objects.order_by("-set_at").first()
    return Floors(dense=latest.dense, words=latest.words) if latest else UNCALIBRATED


def state() -> Literal["uncalibrated", "stale", "calibrated"]:
    """Return whether the floors in force were set for the embedding space and the corpus of this moment."""
    latest = Floor.objects.order_by("-set_at").first()
    if latest is None:
        return "uncalibrated"
    space = spaces.active()
    belongs = (latest.space, latest.corpus) == (space.fingerprint if space else "", corpus.fingerprint())
    return "calibrated" if belongs else "stale"
