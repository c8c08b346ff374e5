"""The site as it is, with a provider that takes its time: what stop, disconnect and slow readers are tried on."""

from config.asgi import application  # first: it sets Django up

import assistant.turn  # isort: skip
from tests.assistant.scripted import WHOLE, Scripted

__all__ = ["application"]

FIRST = "Its battery lasted 412 days [1]. "
SECOND = "The mast was repaired by the harbour crew [1]. "
THIRD = "The tide gauge reports the water level every six minutes [1]. "


def slow_words() -> Scripted:
    # The beginning of each sentence goes out with the one before, so that the latch sees where that one ends.
    return Scripted(FIRST + SECOND[0], 2.0, SECOND[1:] + THIRD[0], 2.0, THIRD[1:], 4.0, WHOLE)


setattr(assistant.turn, "provider", slow_words)  # noqa: B010  # the seam that tests replace, not an export
