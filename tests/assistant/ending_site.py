"""The site with a provider that soon finishes the first answer and no other: what the end of a process is tried on."""

from itertools import count

from config.asgi import application  # first: it sets Django up

import assistant.places  # isort: skip
import assistant.turn  # isort: skip
from tests.assistant.scripted import WHOLE, Scripted

__all__ = ["application"]

FIRST = "Its battery lasted 412 days [1]. T"
SECOND = "he mast was repaired by the harbour crew [1]."
GRACE = 8.0  # the first answer takes a quarter of it

_answers = count(1)


def words() -> Scripted:
    return Scripted(FIRST, 2.0 if next(_answers) == 1 else 600.0, SECOND, WHOLE)


assistant.places.GRACE = GRACE
setattr(assistant.turn, "provider", words)  # noqa: B010  # the seam that tests replace, not an export
