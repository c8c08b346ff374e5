"""A provider that replays a script: what a model might say, including what it must not."""

import asyncio
from collections.abc import AsyncGenerator, Sequence

from assistant.providers import Assignment, Finish, Piece, Text, Unseen
from metering.prices import Usage
from metering.transports.received import Received

Step = str | float | Exception | Unseen | Finish

WHOLE = Finish("stop", Usage(model="quoting", input_tokens=0, output_tokens=0))
CUT = Finish("length", Usage(model="quoting", input_tokens=0, output_tokens=0))


class Scripted:
    """Strings are deltas, numbers are pauses in seconds, exceptions are raised, a `Finish` ends."""

    name = "scripted"
    is_model = False

    def __init__(self, *steps: Step) -> None:
        self._steps: Sequence[Step] = steps
        self.asked: list[Assignment] = []
        self.said = 0  # deltas that were taken
        self.closed = False

    def bound_micro_usd(self, assignment: Assignment) -> int:
        return 0

    def speaks(self, assignment: Assignment) -> str:
        return assignment.language

    def usage_of_cut(self, assignment: Assignment, received: Received) -> Usage:
        return Usage(model="quoting", input_tokens=0, output_tokens=received.text_bytes, reported=False)

    async def stream(self, assignment: Assignment) -> AsyncGenerator[Piece, None]:
        self.asked.append(assignment)
        try:
            for step in self._steps:
                match step:
                    case str():
                        self.said += 1
                        yield Text(step)
                    case float() | int():
                        await asyncio.sleep(step)
                    case Exception():
                        raise step
                    case Finish() | Unseen():
                        yield step
        finally:
            self.closed = True
