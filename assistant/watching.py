"""One admitted question with its layers at work: steps and events in the order in which they come about.

The turn is asked as every other is, under the same limits and the same cap.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

from assistant.asking import ask
from assistant.events import Event
from assistant.layers import Step
from assistant.question import Question


async def watched(question: Question) -> AsyncGenerator[Step | Event, None]:
    """Yield what the layers decide as they decide it, and the turn's events; closing it closes the turn."""
    told: asyncio.Queue[Step | Event | None] = asyncio.Queue()

    async def run() -> None:
        try:
            async with aclosing(ask(replace(question, watch=told.put_nowait))) as events:
                async for event in events:
                    told.put_nowait(event)
        finally:
            told.put_nowait(None)

    turn = asyncio.create_task(run())
    try:
        while (step := await told.get()) is not None:
            yield step
        await turn
    finally:
        if not turn.done():
            turn.cancel()
            await asyncio.wait({turn})
