"""From a provider's text to released sentences: the fixed token is looked for first, then the latch decides.

The token may come split over deltas, so text that could still become it is held back.
"""

from typing import Literal

from guardrails.latch import Latch, ReleasedSentence, Stop


class Release:
    """Feed deltas, get released sentences. After `not_covered` or a `stop` nothing more comes out."""

    def __init__(self, latch: Latch, token: str) -> None:
        self._latch = latch
        self._token = token
        self._held = ""
        self.not_covered = False

    @property
    def stop(self) -> Stop | None:
        """The violation that ended the answer."""
        return self._latch.stop

    @property
    def truncated(self) -> bool:
        """A half sentence at the length limit was dropped."""
        return self._latch.truncated and not self.not_covered

    @property
    def ended(self) -> bool:
        """Nothing more will be released: whoever generates can be stopped."""
        return self.not_covered or self._latch.stop is not None

    def feed(self, delta: str) -> list[ReleasedSentence]:
        """Take a piece of text and return what it released."""
        if self.ended:
            return []
        text = self._held + delta
        place = text.find(self._token)
        if place >= 0:
            self.not_covered = True
            self._held = ""
            # As at the length limit: a whole sentence before the token is judged, half of one is dropped.
            return self._latch.feed(text[:place]) + self._latch.flush("length")
        keep = self._possible_token_length(text)
        self._held = text[len(text) - keep :]
        return self._latch.feed(text[: len(text) - keep])

    def flush(self, finish: Literal["stop", "length"]) -> list[ReleasedSentence]:
        """End the answer. What stood before the token without a sentence's end is dropped with it."""
        if self.ended:
            return []
        released = self._latch.feed(self._held)
        self._held = ""
        return released + self._latch.flush(finish)

    def _possible_token_length(self, text: str) -> int:
        """Return how many last characters of `text` could be the beginning of the token."""
        start = text.rfind(self._token[0], max(0, len(text) - len(self._token) + 1))
        longest = 0
        while start >= 0:
            if self._token.startswith(text[start:]):
                longest = len(text) - start
            start = text.rfind(self._token[0], max(0, len(text) - len(self._token) + 1), start)
        return longest
