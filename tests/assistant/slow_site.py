"""The site as it is, with a provider that takes its time: what stop, disconnect and slow readers are tried on.

Between its sentences it can be held.
"""

from collections.abc import Iterator

from config.asgi import application  # first: it sets Django up

import assistant.turn  # isort: skip
from tests.assistant.hold import held
from tests.assistant.scripted import WHOLE, Scripted, Step

__all__ = ["application"]

FIRST = "Its battery lasted 412 days [1]. "
SECOND = "The mast was repaired by the harbour crew [1]. "
THIRD = "The tide gauge reports the water level every six minutes [1]. "


class SlowWords(Scripted):
    """Three sentences, some seconds apart."""

    def _script(self) -> Iterator[Step]:
        # The beginning of each sentence goes out with the one before, so that the latch sees where that one ends.
        yield FIRST + SECOND[0]
        yield 2.0
        yield from held(1)
        yield SECOND[1:] + THIRD[0]
        yield 2.0
        yield from held(2)
        yield THIRD[1:]
        yield 4.0
        yield WHOLE


setattr(assistant.turn, "provider", SlowWords)  # noqa: B010  # the seam that tests replace, not an export
