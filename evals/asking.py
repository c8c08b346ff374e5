"""Puts golden questions to the product as a visitor's would come: the real turn, stored nowhere, each asked once.

A run asks many suites about the same question; it is embedded, searched and answered the first time alone.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from assistant import owner_rules, turn
from assistant.events import Done, Notice, NoticeReason, Refusal, RefusalReason, Released
from assistant.providers.quoting import Quoting
from assistant.question import Exchange, Question
from evals import golden
from evals.golden import Case
from guardrails import refusal
from records.access import PUBLIC, Viewer
from records.models import Owner

AT_ONCE = 4  # one embeds while the others search; more only wait for the embedder's single thread
TRIES = 3  # where the embedder was late: on a busy machine one of a thousand questions is

BROKEN: frozenset[NoticeReason] = frozenset({"budget", "busy", "invalid", "unavailable"})

Own = Mapping[tuple[str, str], Sequence[Case]]

C = TypeVar("C", bound=Case)
R = TypeVar("R")


class TurnFailed(Exception):
    """A golden question met a fault instead of the layers: mend that first, for no figure would mean anything."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A turn's events, sorted."""

    refusal: RefusalReason | None
    notice: NoticeReason | None
    sentences: tuple[Released, ...]
    done: Done


@dataclass(frozen=True, slots=True)
class _Asked:
    text: str
    language: str
    history: tuple[Exchange, ...]
    viewer: Viewer
    retrieval_only: bool


class Asker:
    """Asks in the name of nobody; one a run. Answers quote, whatever provider is configured: no model is called.

    `owner` is the site's; `embeds`: every search must embed its question. `own`: cases beside those of the files, by
    suite and language. `only`: the ids of the cases to ask, where not all are.
    """

    def __init__(
        self,
        owner: Owner | None,
        *,
        embeds: bool = False,
        own: Own | None = None,
        only: Collection[str] | None = None,
    ) -> None:
        self._owner = owner
        self._own = own or {}
        self._embeds = embeds
        self._only = only
        self._worded_by = Quoting()
        self._answers: dict[_Asked, asyncio.Task[Answer]] = {}
        self._turns = asyncio.Semaphore(AT_ONCE)

    def cases(self, shape: type[C], suite: str, language: str) -> tuple[C, ...]:
        """Return a suite's cases in a language: the files' and the owner's own, or those of them that are asked."""
        own = (case for case in self._own.get((suite, language), ()) if isinstance(case, shape))
        cases = (*golden.load(shape, suite, language), *own)
        return cases if self._only is None else tuple(case for case in cases if case.id in self._only)

    def own_languages(self) -> frozenset[str]:
        """Return the languages in which the owner has cases."""
        return frozenset(language for _suite, language in self._own)

    def text(self, words: str, language: str) -> str:
        """Return a golden text with the owner's name in it."""
        return words.replace("{owner}", self._owner.name_in(language) if self._owner else "")

    def named(self) -> refusal.Owner | None:
        """Return the owner as layer 1 takes it."""
        return owner_rules.named(self._owner)

    def history(self, case: Case) -> tuple[Exchange, ...]:
        """Return what was said before a case."""
        return tuple(
            Exchange(self.text(said.question, case.language), said.answer, said.titles) for said in case.previous
        )

    async def answer(self, case: Case, viewer: Viewer = PUBLIC) -> Answer:
        """Return what the product answers."""
        return await self._once(self._asked(case, viewer, retrieval_only=False))

    async def search(self, case: Case, viewer: Viewer = PUBLIC) -> Done:
        """Return what the search finds, whatever layer 1 and the route say."""
        full = self._answers.get(self._asked(case, viewer, retrieval_only=False))
        if full is not None and (done := (await full).done).route in {"search", "panorama"}:
            return done
        return (await self._once(self._asked(case, viewer, retrieval_only=True))).done

    async def each(self, cases: Iterable[C], judge: Callable[[C], Awaitable[R]]) -> list[R]:
        """Judge every case, several at once, in the cases' order."""
        return await asyncio.gather(*(judge(case) for case in cases))

    def _asked(self, case: Case, viewer: Viewer, *, retrieval_only: bool) -> _Asked:
        text = self.text(case.question, case.language)
        return _Asked(text, case.language, self.history(case), viewer, retrieval_only)

    async def _once(self, asked: _Asked) -> Answer:
        if asked not in self._answers:
            self._answers[asked] = asyncio.create_task(self._take(asked))
        return await self._answers[asked]

    async def _take(self, asked: _Asked) -> Answer:
        for _ in range(TRIES):
            answer = await self._turn(asked)
            done = answer.done
            if done.embedded or not self._embeds or done.best.words is None:
                return answer
        raise TurnFailed(f"{asked.text!r} was searched by keyword alone {TRIES} times: the embedder gave up")

    async def _turn(self, asked: _Asked) -> Answer:
        question = Question(
            text=asked.text,
            language=asked.language,
            viewer=asked.viewer,
            history=asked.history,
            stored=False,
            retrieval_only=asked.retrieval_only,
        )
        refused: RefusalReason | None = None
        notice: NoticeReason | None = None
        sentences: list[Released] = []
        async with self._turns:
            async for event in turn.answer(question, self._worded_by):
                match event:
                    case Refusal():
                        refused = event.reason
                    case Notice():
                        notice = event.reason
                        if notice in BROKEN:
                            raise TurnFailed(f"{asked.text!r} ended with the notice {notice!r}; the log says why")
                    case Released():
                        sentences.append(event)
                    case Done():
                        return Answer(refused, notice, tuple(sentences), event)
        raise AssertionError("a turn ends with Done")
