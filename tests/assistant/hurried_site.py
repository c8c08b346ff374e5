"""The site with little patience for those who hold a connection: what hostile connections are tried on."""

from config.asgi import application  # first: it sets Django up

import assistant.consumers  # isort: skip
import assistant.turn  # isort: skip
import config.connections  # isort: skip
from tests.assistant.scripted import WHOLE, Scripted

__all__ = ["application"]

FIRST = "Its battery lasted 412 days [1]. T"
SECOND = "he tide gauge reports the water level every six minutes [1]."

config.connections.REQUEST_SECONDS = 2.0
config.connections.AN_ADDRESS = 20
assistant.consumers.IDLE_SECONDS = 6.0
assistant.consumers.AN_ADDRESS = 5


def words() -> Scripted:
    return Scripted(FIRST, 8.0, SECOND, WHOLE)  # longer than a socket may be idle


setattr(assistant.turn, "provider", words)  # noqa: B010  # the seam that tests replace, not an export
