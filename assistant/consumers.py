"""The chat's websocket: a form's fields in, HTML fragments out, one turn at a time.

The turn runs as a task of its own, so that stop and disconnect are heard while it streams. No channel layer: the
consumer talks to one socket, and Redis's death closes nothing.
"""

import asyncio
import json
import logging
import time
from collections import deque
from collections.abc import Mapping
from contextlib import aclosing
from typing import Any
from weakref import WeakSet

from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.db import Error as DatabaseError

from assistant import fragments
from assistant.asking import LANGUAGES, Declined, Problem, admit, ask, declined, invalid, signed_conversation
from assistant.conversations import sign
from assistant.database import in_database
from assistant.events import Done, Notice, Released
from assistant.metrics import SOCKETS
from assistant.origin import is_own
from assistant.presentation import ShownTurn, complete
from assistant.question import Question
from assistant.reader_language import reader_language
from assistant.texts import notice_text, still_answering_text
from assistant.visitors import address_of_scope, of_scope, without_session

logger = logging.getLogger(__name__)

# Characters: a question of 2,000 at its worst, escaped and with htmx's headers, stays below. What exceeds it gets a
# text; from 64 KiB on the server drops the socket without reading on (launcher/run.py).
MAX_FRAME = 32_768
MAX_FRAMES = 20  # within FRAME_SECONDS: a person presses no key so fast
FRAME_SECONDS = 2.0
AN_ADDRESS = 40  # sockets at once: each is an open page of the chat
IDLE_SECONDS = 900.0  # without a frame and without an answer; the page opens another for its next question (chat.js)
# 1000, 1008 and 1009 plus 3000: daphne's library lets an application send no others.
IDLE, TOO_MANY, TOO_BIG = 4000, 4008, 4009


class ChatConsumer(AsyncWebsocketConsumer):
    """One socket of one page."""

    async def connect(self) -> None:
        """Accept a socket that a page of this site opened, as far as its address has room for one more."""
        self._turn: asyncio.Task[None] | None = None
        self._asked: object = None
        self._frames: deque[float] = deque(maxlen=MAX_FRAMES)
        self._open = self._cut_off = False
        if not is_own(self._header(b"origin"), self._header(b"host") or ""):
            await self.close()
            return
        self.address = address_of_scope(self.scope)
        if sum(1 for other in _open if other.address == self.address) >= AN_ADDRESS:
            await self.close()
            return
        _open.add(self)
        SOCKETS.inc()
        self._open = True
        self._heard = time.monotonic()
        self._idle = asyncio.create_task(self._close_when_idle())
        await self.accept()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Take one frame: a question, or the wish to stop."""
        if self._cut_off:
            return
        now = self._heard = time.monotonic()
        self._frames.append(now)
        if len(self._frames) == MAX_FRAMES and now - self._frames[0] < FRAME_SECONDS:
            await self._cut(TOO_MANY)
            return
        if len(text_data or bytes_data or "") > MAX_FRAME:
            await self._decline(invalid(Problem.QUESTION, settings.LANGUAGE_CODE), settings.LANGUAGE_CODE)
            await self._cut(TOO_BIG)
            return
        fields = _fields(text_data)
        if fields is None:
            await self._decline(invalid(Problem.FORM, settings.LANGUAGE_CODE), settings.LANGUAGE_CODE)
        elif "stop" in fields:
            await self._end_turn()
        elif self._turn and not self._turn.done():
            await self._ask_while_answering(fields)
        else:
            self._asked = fields.get("turn")
            self._turn = asyncio.create_task(self._answer(fields))

    async def websocket_disconnect(self, message: Mapping[str, Any]) -> None:
        """Close the running turn: a reader who left is not paid for."""
        if self._open:
            self._open = False
            SOCKETS.dec()
            _open.discard(self)
            self._idle.cancel()
            await self._end_turn()
        raise StopConsumer

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Call the handler alone: Channels would also queue on the one thread-sensitive thread at each frame."""
        handler = getattr(self, message["type"].replace(".", "_"))
        await handler(message)

    async def _cut(self, code: int) -> None:
        self._cut_off = True  # what the client has sent already is still to come, and is not read
        await self.close(code)

    async def _close_when_idle(self) -> None:
        while (left := self._heard + IDLE_SECONDS - time.monotonic()) > 0:
            await asyncio.sleep(left)
            if self._turn and not self._turn.done():
                await asyncio.wait({self._turn})
                self._heard = time.monotonic()
        await self._cut(IDLE)

    async def _ask_while_answering(self, fields: Mapping[str, object]) -> None:
        if self._asked is not None and fields.get("turn") == self._asked:
            return  # the resend of a question whose answer is streaming to this very page
        language = _language(fields)
        await self._decline(Declined(Notice("busy", still_answering_text(language))), language)

    async def _end_turn(self) -> None:
        if self._turn and not self._turn.done():
            self._turn.cancel()
            await asyncio.wait({self._turn})

    async def _answer(self, fields: Mapping[str, object]) -> None:
        language = _language(fields)
        question = turn = None
        try:
            question = await self._admit(fields)
            turn = ShownTurn(question.id, question.text, reader_language(question.text, language))
            placed = str(question.id) == fields.get("turn")
            await self.send(fragments.accepted(turn, language, placed=placed, fresh_form="follow" not in fields))
            await self._stream(question, turn)
        except Declined as refused:
            await self._decline(refused, language)
        except asyncio.CancelledError:
            if self._open and question and turn:
                await self._say_stopped(question, turn)
            raise
        except Exception:  # the last line of defence: the reader gets a text, the owner a log line
            logger.exception("A turn failed at the socket.")
            await self._decline(declined("unavailable", language), language)

    async def _admit(self, fields: Mapping[str, object]) -> Question:
        return await admit(fields, await of_scope(self.scope), "socket")

    async def _stream(self, question: Question, turn: ShownTurn) -> None:
        async with aclosing(ask(question)) as events:
            async for event in events:
                if isinstance(event, Released):
                    await self.send(fragments.sentence(turn, turn.add(event), question.language))
                    continue
                turn.end(event)
                if isinstance(event, Done):
                    await self.send(await in_database(_finished, turn, question, event.conversation))

    async def _say_stopped(self, question: Question, turn: ShownTurn) -> None:
        language = question.language
        if turn.running:
            turn.end(Notice("stopped", notice_text("stopped", language, released=bool(turn.sentences))))
        conversation = await self._conversation(turn)
        await self.send(await in_database(_finished, turn, question, conversation))

    async def _conversation(self, turn: ShownTurn) -> str | None:
        try:
            conversation = await in_database(signed_conversation, turn.id)
        except DatabaseError:
            return None
        return sign(conversation) if conversation else None

    async def _decline(self, refused: Declined, language: str) -> None:
        forget = refused.problem is Problem.CONVERSATION
        await self.send(fragments.declined(refused.notice, language, forget_conversation=forget))

    def _header(self, wanted: bytes) -> str | None:
        return next((value.decode("latin-1") for name, value in self.scope["headers"] if name == wanted), None)


_open: WeakSet[ChatConsumer] = WeakSet()  # the sockets of this process


class WidgetConsumer(ChatConsumer):
    """One socket of the chat in a frame on another site: no session, as on its page (`assistant.widget`)."""

    async def _admit(self, fields: Mapping[str, object]) -> Question:
        return await admit(fields, without_session(address_of_scope(self.scope)), "widget")


def _finished(turn: ShownTurn, question: Question, conversation: str | None) -> str:
    """Render what stands below an answer: as much text as the answer itself, for which no other reader should wait."""
    complete([turn], question.viewer)
    return fragments.finished(turn, question.language, conversation)


def _fields(text: str | None) -> dict[str, object] | None:
    try:
        fields = json.loads(text or "")
    except (ValueError, RecursionError):
        return None
    return fields if isinstance(fields, dict) else None


def _language(fields: Mapping[str, object]) -> str:
    language = fields.get("lang")
    return language if isinstance(language, str) and language in LANGUAGES else settings.LANGUAGE_CODE
