"""Ask the assistant from the command line: one question, or JSON lines on stdin. Contract C3.

Outside the rate limits, inside the spend cap, and nothing is stored: the client brings the exchanges before.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from pydantic import BaseModel, ConfigDict, ValidationError

from assistant.asking import Declined, not_asked, read
from assistant.events import Done, Event, LeadIn, Notice, Refusal, Released, SourceReference, as_json, name
from assistant.question import Exchange, Question
from assistant.turn import answer
from assistant.visitors import Visitor
from records.access import PUBLIC

OPERATOR = Visitor(buckets=(), session="", viewer=PUBLIC)


class Before(BaseModel):
    """One exchange before this one."""

    model_config = ConfigDict(strict=True)

    question: str
    answer: str = ""


class Line(BaseModel):
    """One line of stdin; `id` is echoed as it is."""

    model_config = ConfigDict(strict=True)

    id: Any = None
    question: str = ""
    lang: str | None = None
    previous: list[Before] | None = None


class Command(BaseCommand):
    """`ask QUESTION --lang en`, or `ask --stdin --json < questions.jsonl`."""

    help = "Ask the assistant; the answer is what a visitor of the public site would get."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the contract's arguments."""
        parser.add_argument("question", nargs="?", help="the question, in one argument")
        parser.add_argument(
            "--lang", default=settings.LANGUAGE_CODE, help="language of the page (default: %(default)s)"
        )
        parser.add_argument("--stdin", action="store_true", help="read JSON lines: id, question, lang, previous")
        parser.add_argument("--json", action="store_true", help="print events as JSON lines")
        parser.add_argument("--retrieval-only", action="store_true", help="search, and print `done` alone")

    def handle(self, *args: Any, **options: Any) -> None:
        """Ask; exit status 1 where a line of stdin was no question object."""
        if options["stdin"] == (options["question"] is not None):
            self.stderr.write("ask: give either a question or --stdin.")
            sys.exit(2)
        if not asyncio.run(self._run(options)):
            sys.exit(1)

    async def _run(self, options: dict[str, Any]) -> bool:
        readable = True
        lines = _stdin() if options["stdin"] else _single(options["question"])
        async for line in lines:
            readable = readable and not isinstance(line, _Unreadable)
            async with aclosing(_events(line, options["lang"], retrieval_only=options["retrieval_only"])) as events:
                async for event in events:
                    self._print(line.id, event, as_lines=options["json"] or options["retrieval_only"])
        return readable

    def _print(self, identity: Any, event: Event, *, as_lines: bool) -> None:
        text = json.dumps({"id": identity, "event": name(event), **as_json(event)}) if as_lines else _plain(event)
        if text:
            self.stdout.write(text)
            self.stdout.flush()


class _Unreadable(BaseModel):
    """A line that was no question object; `problem` says what is wrong with it, to whoever wrote the line."""

    id: Any = None
    problem: str


async def _single(question: str) -> AsyncIterator[Line | _Unreadable]:
    yield Line(question=question)


async def _stdin() -> AsyncIterator[Line | _Unreadable]:
    while raw := await asyncio.to_thread(sys.stdin.buffer.readline):
        if raw.strip():
            yield _line(raw)


def _line(raw: bytes) -> Line | _Unreadable:
    try:
        fields = json.loads(raw)
    except (ValueError, RecursionError):
        return _Unreadable(problem="not JSON")
    try:
        return Line.model_validate(fields)
    except ValidationError as invalid:
        return _Unreadable(id=fields.get("id") if isinstance(fields, dict) else None, problem=_told(invalid))


def _told(invalid: ValidationError) -> str:
    """Name each field with what is wrong with it; what stands there is left out."""
    errors = invalid.errors(include_url=False, include_context=False, include_input=False)
    return "; ".join(f"{'.'.join(map(str, error['loc'])) or 'line'}: {error['msg']}" for error in errors)


async def _events(line: Line | _Unreadable, language: str, *, retrieval_only: bool) -> AsyncGenerator[Event, None]:
    if isinstance(line, _Unreadable):
        yield Notice("invalid", f"This line is no question: {line.problem}")
        yield not_asked()
        return
    try:
        question = _question(line, language, retrieval_only=retrieval_only)
    except Declined as declined:
        yield declined.notice
        yield not_asked()
        return
    async with aclosing(answer(question)) as events:
        async for event in events:
            if isinstance(event, Done) or not retrieval_only:
                yield event


def _question(line: Line, language: str, *, retrieval_only: bool) -> Question:
    asked = read({"question": line.question, "lang": line.lang or language}, OPERATOR)
    return Question(
        text=asked.text,
        language=asked.language,
        history=tuple(Exchange(before.question, before.answer) for before in line.previous or ()),
        stored=False,
        retrieval_only=retrieval_only,
    )


def _plain(event: Event) -> str:
    match event:
        case LeadIn():
            return event.text
        case Released():
            sources = "".join(f"\n    {source.title}  {source.url}{_over(source)}" for source in event.sources)
            return f"{event.text.strip()}{sources}"
        case Refusal() | Notice():
            return f"[{event.reason}] {event.text}"
        case Done():
            return ""


def _over(source: SourceReference) -> str:
    return f"  (valid until {source.expired})" if source.expired else ""
