"""One process full of readers, told over its standard input what to do: `ask 100`, then `go`.

Each question runs through the whole turn. For each one a line says whether the model was called or the budget was said
to be used up; the model answers nobody before `go`. After the last answer the line `over`.
"""

import asyncio
import os
import sys
from collections.abc import AsyncGenerator

os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
import django

django.setup()

from assistant.events import Notice  # noqa: E402  # needs the models
from assistant.providers import Assignment, Finish, Text  # noqa: E402
from assistant.question import Question  # noqa: E402
from assistant.turn import answer  # noqa: E402
from metering.prices import Usage  # noqa: E402

MODEL, BOUND, COST = "m-1", 100, 30  # micro-USD a turn, at a micro-USD a token
QUESTION = "What did she do recently?"


class Waiting:
    """A model at a price that says nothing before it is let."""

    name = MODEL
    is_model = False

    def __init__(self) -> None:
        self.may_speak = asyncio.Event()

    def bound_micro_usd(self, assignment: Assignment) -> int:
        return BOUND

    def speaks(self, assignment: Assignment) -> str:
        return assignment.language

    def usage_of_cut(self, assignment: Assignment, received: object) -> Usage:
        return Usage(MODEL, BOUND, 0, reported=False)

    async def stream(self, assignment: Assignment) -> AsyncGenerator[Text | Finish, None]:
        say("called")
        await self.may_speak.wait()
        yield Text("She wrote about it [1].")
        yield Finish("stop", Usage(MODEL, COST, 0))


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def read(model: Waiting) -> None:
    question = Question(QUESTION, "en", stored=False)
    async for event in answer(question, model):
        if isinstance(event, Notice):
            say(event.reason)


async def main() -> None:
    say("ready")
    loop = asyncio.get_running_loop()
    while command := await loop.run_in_executor(None, sys.stdin.readline):
        model = Waiting()
        readers = asyncio.gather(*(read(model) for _ in range(int(command.split()[1]))))
        assert await loop.run_in_executor(None, sys.stdin.readline) == "go\n"
        model.may_speak.set()
        await readers
        say("over")


if __name__ == "__main__":
    asyncio.run(main())
