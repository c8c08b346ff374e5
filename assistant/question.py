"""A question as the layers see it: cleaned, bounded, and from somebody."""

import uuid
from dataclasses import dataclass, field

from assistant import layers
from assistant.layers import Watch
from assistant.models import Conversation
from assistant.places import Place
from guardrails.characters import speakable
from records.access import PUBLIC, Viewer

MAX_CHARACTERS = 2_000


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question of this conversation and what was released for it, a sentence a line.

    `titles` are those that the site gives the records which the answer cited, in its order.
    """

    question: str
    answer: str
    titles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """One question. `language` is the page's; `id` comes from the client; `history` is oldest first.

    `stored` is off for the command line and for evaluation, which keep no conversation. `shares` are the reader's of
    the month (keys of `metering.shares`), `place` is where an admitted question's answer streams. `live_check`: the
    site asks itself. `watch` is told what the layers decide.
    """

    text: str
    language: str
    id: uuid.UUID = field(default_factory=uuid.uuid4)
    viewer: Viewer = PUBLIC
    session: str = ""
    conversation: Conversation | None = None
    history: tuple[Exchange, ...] = ()
    stored: bool = True
    retrieval_only: bool = False
    shares: tuple[str, ...] = ()
    live_check: bool = False
    place: Place | None = field(default=None, compare=False, repr=False)
    watch: Watch = field(default=layers.nobody, compare=False, repr=False)


def clean(text: str) -> str:
    """Return the text without characters that cannot be stored or seen, trimmed."""
    return speakable(text).strip()


def is_askable(text: str) -> bool:
    """Whether a cleaned text can be a question at all."""
    return 0 < len(text) <= MAX_CHARACTERS
