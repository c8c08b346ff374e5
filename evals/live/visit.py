"""One question asked as a visitor's browser asks it: by the websocket of a page, and read from the HTML that comes.

What the site shows decides. What its layers thought is read from the turn's row afterwards, where it is ours.
"""

import asyncio
import json
import uuid
from dataclasses import dataclass
from html.parser import HTMLParser
from urllib.parse import urlsplit

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from assistant import live_mark
from evals.live.questions import LiveQuestion

SECONDS = 60.0  # for one question, from the first byte to the last
FRAME_LIMIT = 1 << 20


class NotReached(Exception):
    """The site did not answer at its address, or not to the end: the message says which."""


@dataclass(slots=True)
class Shown:
    """What a visitor saw. `reason`: of the refusal or notice at the end; `kind`: which of the two it is."""

    turn: uuid.UUID
    sentences: int = 0
    kind: str = ""
    reason: str = ""
    declined: str = ""

    def holds(self, must: str) -> bool:
        """Whether this is what the question must get."""
        if must == "answer":
            return self.sentences > 0 and self.kind != "refusal"
        return self.sentences == 0 and (self.kind, self.reason) == ("refusal", must)


async def visit(site: str, question: LiveQuestion, mark: str) -> Shown:
    """Ask one question at a site; raises NotReached."""
    address = urlsplit(site)
    socket = f"{'wss' if address.scheme == 'https' else 'ws'}://{address.netloc}/ws/chat/"
    shown = Shown(uuid.uuid4())
    fields = {"question": question.text, "lang": question.language, "turn": str(shown.turn), live_mark.FIELD: mark}
    try:
        async with asyncio.timeout(SECONDS), connect(socket, origin=site, max_size=FRAME_LIMIT) as connection:  # type: ignore[arg-type]  # a str is one
            await connection.send(json.dumps(fields))
            reader = _Reader(shown)
            async for frame in connection:
                reader.feed(str(frame))
                if reader.finished:
                    return shown
    except (OSError, WebSocketException) as error:  # TimeoutError is an OSError
        raise NotReached(f"{socket} did not answer: {type(error).__name__} {error}".strip()) from error
    raise NotReached(f"{socket} hung up before the answer's end")


class _Reader(HTMLParser):
    """Finds in the fragments what a visitor sees: sentences, how the turn ended, or why it was not asked."""

    def __init__(self, shown: Shown) -> None:
        super().__init__()
        self._shown = shown
        self._place = ""
        self.finished = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        classes = given.get("class", "").split()
        self._place = given.get("id", self._place)
        if "sentence" in classes and "lead-in" not in classes:
            self._shown.sentences += 1
        if "data-reason" in given:
            self._end(classes, given["data-reason"])
        if self._place == "conversation":  # handed out for the next question once a turn has ended
            self.finished = True

    def _end(self, classes: list[str], reason: str) -> None:
        if self._place == "form-notice":
            self._shown.declined = reason
            self.finished = True
        else:
            self._shown.kind = "refusal" if "refusal" in classes else "notice"
            self._shown.reason = reason
