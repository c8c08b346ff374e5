"""Does before the first question what it would otherwise wait for: pattern indexes, the language detector, catalogues.

It takes seconds of work, so a question that comes meanwhile waits for it beside the event loop, not on it. What was
loaded stays for good and is taken out of the garbage collector's sight: looking through all of it would stop every
reader's answer for half a second, again and again (docs/measured.md).
"""

import asyncio
import gc
import threading

from django.conf import settings

from assistant import reader_language
from assistant.providers import provider
from assistant.texts import notice_text
from guardrails import refusal, routing
from guardrails.latch import Latch, LatchRules, Source


def _warm_up() -> None:
    reader_language.warm_up()
    provider()  # a model's SDK takes seconds to load
    refusal.check("Where did she study?")
    routing.route("Where did she study?")
    for code, _name in settings.LANGUAGES:
        _read_a_sentence(code)
        notice_text("invalid", code)  # reads the language's catalogue and its conventions: some 30 ms
    gc.collect()
    gc.freeze()


def _read_a_sentence(language: str) -> None:
    """Let the latch make what it keeps for a language, up to 0.9 s of work: a reworded sentence asks every guard."""
    source = Source("It was repaired in 2019 by the crew.", language, current=False)
    latch = Latch(language, [source], LatchRules(by_model=True))
    latch.feed('The mast was "repaired" in 2019 by the crew [1]. It was. ')
    latch.flush()


_thread = threading.Thread(target=_warm_up, name="warm-up", daemon=True)


def start() -> None:
    """Begin, and return at once. Called once, by a server's process."""
    _thread.start()


def under_way() -> bool:
    """Whether it has begun and is not done."""
    return _thread.is_alive()


async def finished() -> None:
    """Wait until it is done; returns at once where it never began."""
    if under_way():
        await asyncio.to_thread(_thread.join)
