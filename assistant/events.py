"""What a turn says, in order: one vocabulary for socket, server-sent events, form and command line.

A turn yields either a `Refusal`, or `Released` sentences and at most one `Notice`; `Done` is always last. Where the
sentences are in another language than the reader's, a `LeadIn` comes before the first.
"""

from dataclasses import asdict, dataclass
from datetime import date
from typing import Any, Literal

from guardrails.leak import REDACTED

RefusalReason = Literal["commercial", "private", "speculation", "meta", "task", "no_evidence", "not_covered"]
NoticeReason = Literal[
    "withheld",
    "truncated",
    "not_covered",
    "budget",
    "rate_limited",
    "busy",
    "stopped",
    "unavailable",
    "invalid",
]


@dataclass(frozen=True, slots=True)
class SourceReference:
    """What a sentence rests on. For a record's own fields `version`, `passage`, `start` and `end` are null.

    `expired` is the last day (ISO 8601) of a validity that is over, and null where it is not.
    """

    record: str
    kind: str
    title: str
    version: int | None
    passage: str | None
    start: int | None
    end: int | None
    url: str
    expired: str | None = None

    @property
    def last_day(self) -> date | None:
        """The last day of a validity that is over."""
        return date.fromisoformat(self.expired) if self.expired else None


@dataclass(frozen=True, slots=True)
class Refusal:
    """A fixed text instead of an answer."""

    reason: RefusalReason
    text: str


@dataclass(frozen=True, slots=True)
class Released:
    """A sentence that the latch released, stored before it is yielded."""

    text: str
    lang: str
    sources: tuple[SourceReference, ...]

    @property
    def redacted(self) -> bool:
        """Whether personal data in it was replaced by the fixed mark."""
        return REDACTED in self.text


@dataclass(frozen=True, slots=True)
class LeadIn(Released):
    """A fixed text in the reader's language before quotations in another; `sources` are those of the first of them.

    On the wire it is a sentence like any other: whoever knows only sentences shows it in its place.
    """


@dataclass(frozen=True, slots=True)
class Notice:
    """A fixed text beside or instead of an answer: typed, never part of the answer's stream."""

    reason: NoticeReason
    text: str


@dataclass(frozen=True, slots=True)
class Similarities:
    """The two bounded measures, 0 to 1; `dense` is null where nothing was embedded."""

    dense: float | None
    words: float | None


@dataclass(frozen=True, slots=True)
class TopPassage:
    """One delivered passage with its own measures."""

    passage: str
    record: str
    dense: float | None
    words: float


@dataclass(frozen=True, slots=True)
class Done:
    """What the layers decided. `conversation` is the signed id with which the next turn continues."""

    route: str
    model_called: bool
    embedded: bool
    best: Similarities
    floor: Similarities
    top: tuple[TopPassage, ...]
    stop: str | None
    cost_microusd: int
    ms: int
    conversation: str | None


Event = Refusal | Released | Notice | Done

_NAMES: dict[type, str] = {
    Refusal: "refusal",
    Released: "sentence",
    LeadIn: "sentence",
    Notice: "notice",
    Done: "done",
}


def name(event: Event) -> str:
    """Return the event's name on the wire."""
    return _NAMES[type(event)]


def as_json(event: Event) -> dict[str, Any]:
    """Return the event as the contract's JSON object, without `id` and `event`.

    `redacted` and a source's `expired` only where there is something to say.
    """
    fields = asdict(event)
    if not isinstance(event, Released):
        return fields
    for source in fields["sources"]:
        if not source["expired"]:
            del source["expired"]
    return {**fields, "redacted": True} if event.redacted else fields
