"""From a question to found passages: which readings of it are searched, and which of them count for the floor.

The floor counts the question as asked and, where its wording makes it a follow-up, joined with the one before.
A reading with the owner's name may help the order and never the floor; in the other readings the name is no
keyword, since it stands in every CV entry and says nothing about what is asked.
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
    order = (embedding.reading(f"{wish.about_owner}: {wish.text}"),) if wish.about_owner else ()
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
        return Reading(
            content_words=tuple(content_words(self._unnamed(subject_words or text), self._wish.language)),
            words=tuple(word.text for word in words(self._unnamed(text), self._wish.language)),
            vector=self._vector(text),
            orders=orders,
        )

    def _unnamed(self, text: str) -> str:
        if self._wish.named is None:
            return text
        unnamed = without_name(text, self._wish.named)
        return unnamed if unnamed.strip(" ?!.,:;") else text

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
