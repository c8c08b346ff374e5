"""Reasoning that a model writes into its answer, between tags: told apart however the deltas are cut.

An opening tag counts wherever it stands, and reasoning that is never closed is reasoning to the end. A closing
tag without an opening one means that what came before was reasoning, taken for the answer: that is a failure.
"""

from metering.errors import ModelFailure
from metering.transports.events import ReasoningDelta, TextDelta

TAGS = {"<think>": "</think>", "<thinking>": "</thinking>"}
OPENING = tuple(TAGS)
STRAY = tuple(TAGS.values())


class ThinkTags:
    """Feed it the answer's text, take text and reasoning; the tags are in neither."""

    def __init__(self) -> None:
        self._held = ""  # what may be the beginning of a tag
        self._closing = ""  # the tag that is waited for; empty: outside

    def feed(self, text: str) -> list[TextDelta | ReasoningDelta]:
        """Return what is certain by now; raise ModelFailure at a stray closing tag."""
        if text and not self._held and not self._closing and "<" not in text:
            return [TextDelta(text)]
        text, self._held = self._held + text, ""
        found: list[TextDelta | ReasoningDelta] = []
        while text:
            place, tag = _first(text, self._watched())
            self._add(found, text[:place])
            text = text[place:]
            if not tag:
                self._held = text
                break
            self._pass(tag)
            text = text.removeprefix(tag)
        return found

    def flush(self) -> list[TextDelta | ReasoningDelta]:
        """Return what was held back: no tag, after all."""
        found: list[TextDelta | ReasoningDelta] = []
        self._add(found, self._held)
        self._held = ""
        return found

    def _watched(self) -> tuple[str, ...]:
        return (self._closing,) if self._closing else (*OPENING, *STRAY)

    def _add(self, found: list[TextDelta | ReasoningDelta], text: str) -> None:
        if text:
            found.append(ReasoningDelta(text) if self._closing else TextDelta(text))

    def _pass(self, tag: str) -> None:
        if not self._closing and tag in STRAY:
            raise ModelFailure("malformed", f"{tag} without its opening tag: let the server part reasoning from text")
        self._closing = TAGS.get(tag, "")


def _first(text: str, tags: tuple[str, ...]) -> tuple[int, str]:
    """Return where the first tag stands, or where a beginning of one is left open at the end, with no tag."""
    place = text.find("<")
    while place != -1:
        rest = text[place : place + 12]
        for tag in tags:
            if rest.startswith(tag):
                return place, tag
        if any(tag.startswith(rest) for tag in tags):
            return place, ""
        place = text.find("<", place + 1)
    return len(text), ""
