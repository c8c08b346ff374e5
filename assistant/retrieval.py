"""From a question to found passages: which readings of it are searched, and which of them count for the floor.

The floor counts the question as asked and, where its wording makes it a follow-up, joined with the one before.
The owner's name draws every CV entry near and says nothing about what is asked: it is no keyword, and a second reading,
without it where the question names the owner and with it where it only means the owner, helps the order and never the
floor.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assistant.question import Exchange
from guardrails.followup import FollowUp
from guardrails.owner import Owner, without_name
from guardrails.text import content_words, words
from metering.errors import EmbeddingUnavailable
from records.access import Viewer
from records.embedding import query_vector
from records.search import Found, Query, Reading, search


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What the search found, and whether the embedder took part (otherwise: keywords alone)."""

    found: Found
    embedded: bool


@dataclass(frozen=True, slots=True)
class Wish:
    """A question to search for. `about_owner` is the owner's name where the question is about the owner."""

    text: str
    language: str
    previous: Exchange | None
    follow_up: FollowUp | None
    about_owner: str | None
    named: Owner | None
    subject: str
    shares: tuple[str, ...] = ()


def retrieve(wish: Wish, viewer: Viewer, k: int) -> Retrieved:
    """Search with every reading of the question in one statement."""
    embedding = _Embedding(wish)
    texts = list(_floor_texts(wish))
    # Joined with what came before it, a follow-up says all that it says alone, and by itself it would only add noise.
    floor = tuple(
        embedding.reading(text, subject_words, orders=place == len(texts))
        for place, (text, subject_words) in enumerate(texts, 1)
    )
    otherwise = _otherwise(wish) if len(texts) == 1 else None
    order = (embedding.reading(otherwise),) if otherwise else ()
    found = search(Query(floor=floor, order=order, language=wish.language), viewer, k)
    return Retrieved(found, embedding.took_part)


def _floor_texts(wish: Wish) -> Iterator[tuple[str, str | None]]:
    """Yield each text to search for, with the text whose content words count where they are not its own."""
    yield wish.text, None
    if wish.follow_up is None or wish.previous is None:
        return
    item = wish.follow_up.item
    if item:
        yield f"{item}. {wish.text}", item
    elif wish.follow_up.kind == "position":
        yield f"{_beginning(wish.previous.answer)} {wish.text}", None
    else:
        yield f"{wish.previous.question} {wish.text}", None


def _otherwise(wish: Wish) -> str | None:
    """Return the question without the owner's name where it has it, with it where it means the owner all the same."""
    unnamed = _unnamed(wish.text, wish.named)
    if unnamed != wish.text:
        return unnamed
    return f"{wish.about_owner}: {wish.text}" if wish.about_owner else None


def _unnamed(text: str, named: Owner | None) -> str:
    """Return the text without the owner's name; one that says nothing else as it stands."""
    unnamed = without_name(text, named) if named else text
    return unnamed if any(map(str.isalnum, unnamed)) else text


def _beginning(answer: str) -> str:
    """Return the start of an answer: enough to name its subject, too little to drown the question."""
    return answer[:200].rsplit(" ", 1)[0]


class _Embedding:
    """Embeds readings until the embedder fails once; from then on keywords go alone."""

    def __init__(self, wish: Wish) -> None:
        self._wish = wish
        self._failed = False
        self.took_part = False

    def reading(self, text: str, subject_words: str | None = None, *, orders: bool = True) -> Reading:
        unnamed = _unnamed(text, self._wish.named)
        subject = _unnamed(subject_words, self._wish.named) if subject_words else unnamed
        return Reading(
            content_words=tuple(content_words(subject, self._wish.language)),
            words=tuple(word.text for word in words(unnamed, self._wish.language)),
            vector=self._vector(text),
            orders=orders,
        )

    def _vector(self, text: str) -> Sequence[float] | None:
        if self._failed:
            return None
        try:
            vector = query_vector(text, self._wish.language, self._wish.subject, self._wish.shares)
        except EmbeddingUnavailable:
            self._failed = True
            return None
        self.took_part = self.took_part or vector is not None
        return vector
