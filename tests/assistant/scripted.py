"""A provider that replays a script: what a model might say, including what it must not."""

import asyncio
from collections.abc import AsyncGenerator, Sequence

from assistant.providers import Assignment, Finish, Piece, Text, Unseen
from metering.prices import Usage
from metering.transports.received import Received

Step = str | float | asyncio.Event | Exception | Unseen | Finish

WHOLE = Finish("stop", Usage(model="quoting", input_tokens=0, output_tokens=0))
CUT = Finish("length", Usage(model="quoting", input_tokens=0, output_tokens=0))


class Scripted:
    """Strings are deltas, numbers are pauses in seconds, exceptions are raised, a `Finish` ends.

    At an event it waits until the test has set it.
    """

    name = "scripted"
    is_model = False

    def __init__(self, *steps: Step) -> None:
        self._steps: Sequence[Step] = steps
        self.asked: list[Assignment] = []
        self.bound = 0  # micro-USD
        self.said = 0  # deltas that were taken
        self.closed = False

    def bound_micro_usd(self, assignment: Assignment) -> int:
        return self.bound

    def speaks(self, assignment: Assignment) -> str:
        return assignment.language

    def usage_of_cut(self, assignment: Assignment, received: Received) -> Usage:
        return Usage(model="quoting", input_tokens=0, output_tokens=received.text_bytes, reported=False)

    def _script(self) -> Sequence[Step]:
        return self._steps

    async def stream(self, assignment: Assignment) -> AsyncGenerator[Piece, None]:
        self.asked.append(assignment)
        try:
            for step in self._script():
                match step:
                    case str():
                        self.said += 1
                        yield Text(step)
                    case float() | int():
                        await asyncio.sleep(step)
                    case asyncio.Event():
                        await step.wait()
                    case Exception():
                        raise step
                    case Finish() | Unseen():
                        yield step
        finally:
            self.closed = True


class ScriptedModel(Scripted):
    """A model: each call takes the next script; the last one is repeated."""

    is_model = True

    def __init__(self, *scripts: Sequence[Step]) -> None:
        super().__init__()
        self._scripts = list(scripts)

    def _script(self) -> Sequence[Step]:
        return self._scripts[min(len(self.asked), len(self._scripts)) - 1]
