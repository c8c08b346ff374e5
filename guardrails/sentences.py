"""Cuts a stream of text into sentences; joined, the sentences are the text.

A boundary is decided as soon as the next visible character, after any markers, makes it certain; when in doubt
the splitter joins. The work is linear in the text, and a sentence is never longer than CAP. It does not judge
what a sentence says.
"""

import re
from functools import cache
from typing import NamedTuple

from guardrails.language import load
from guardrails.markers import HALF_MARKER, MARKER, MARKER_OPENERS
from guardrails.sentence_gap import BREAKS, STOPS, Gap
from guardrails.sentence_rules import GOES_ON, Rules

# Longer than any sentence of edited prose, short enough for a reader to wait for.
CAP = 2_000

_BREAKS = frozenset(BREAKS)
_TRIGGERS = frozenset(STOPS) | _BREAKS
# A run of stops or one break, found by one look at each character.
_TRIGGER = re.compile(f"[{re.escape(STOPS)}{BREAKS}](?:(?<=[{BREAKS}])|[{re.escape(STOPS)}]*)")
_SPACES = re.compile(r"\s+")


class Sentence(NamedTuple):
    """A sentence with the white space after it; `start` and `end` count characters of the stream."""

    text: str
    start: int
    end: int


class SentenceSplitter:
    """Feed it the deltas of one text, then flush it."""

    def __init__(self, language: str) -> None:
        self._rules = _rules(language)
        self._pieces: list[str] = []
        self._size = 0
        self._offset = 0
        self._scanned = 0
        self._gap: Gap | None = None
        # Whether a straight quotation mark stands open in this paragraph, and up to where that is counted.
        self._quoting = False
        self._counted = 0

    def feed(self, delta: str) -> list[Sentence]:
        """The sentences that this delta makes certain."""
        self._pieces.append(delta)
        self._size += len(delta)
        if self._size <= CAP:
            gap = self._gap
            if gap is None:
                if _TRIGGERS.isdisjoint(delta):
                    return []
            elif gap.end == self._size - len(delta) and delta.isspace():
                gap.pass_spaces(delta)
                return []
        return self._cut(self.rest)

    def flush(self) -> list[Sentence]:
        """What is left, as the last sentence. Nothing may be fed afterwards."""
        rest = self.rest
        self._pieces, self._size, self._gap = [], 0, None
        return [Sentence(rest, self._offset, self._offset + len(rest))] if rest else []

    @property
    def rest(self) -> str:
        """The text after the last boundary."""
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""

    @property
    def complete(self) -> bool:
        """Whether the rest already ends as a sentence does, and only what follows is not known."""
        rest = self.rest
        if self._gap is None or self._gap.end < len(rest):
            return False
        return self._rules.closes(rest, self._gap)

    def _cut(self, text: str) -> list[Sentence]:
        found: list[Sentence] = []
        start = 0
        while (end := self._next_end(text, start)) is not None:
            sentence = text[start:end]
            found.append(Sentence(sentence, self._offset + start, self._offset + end))
            self._quoting = self._is_quoting(text, end) and _BREAKS.isdisjoint(sentence)
            start = end
        if start:
            self._offset += start
            self._pieces = [text[start:]]
            self._size = len(text) - start
            self._scanned -= start
            self._counted -= start
            if self._gap:
                self._gap.move(-start)
        return found

    def _next_end(self, text: str, start: int) -> int | None:
        """Where the sentence that begins at `start` ends, or None while that is open."""
        # Nothing beyond the cap is looked at, so that the cut does not depend on how much has arrived.
        limit = min(len(text), start + CAP)
        while True:
            if self._gap is None:
                trigger = _TRIGGER.search(text, self._scanned, limit)
                if not trigger:
                    self._scanned = limit
                    break
                self._gap = Gap(trigger.start(), trigger.group())
            if not self._cross(self._gap, text, start, limit):
                break
            end = self._rules.end(text, start, self._gap, limit)
            if end is None:
                break
            gap, self._gap = self._gap, None
            self._scanned = end or gap.end
            if end is not GOES_ON:
                return end
        return self._forced_end(text, start) if len(text) > start + CAP else None

    def _cross(self, gap: Gap, text: str, start: int, limit: int) -> bool:
        """Moves the gap over stops, closers, markers and white space; true at the next visible character."""
        while gap.end < limit:
            character = text[gap.end]
            if character.isspace() and (spaces := _SPACES.match(text, gap.end, limit)):
                gap.pass_spaces(spaces.group())
            elif character in MARKER_OPENERS and (marker := MARKER.match(text, gap.end, limit)):
                gap.pass_marker(marker.end())
            elif character in MARKER_OPENERS and HALF_MARKER.match(text, gap.end, limit):
                return False
            elif not self._rules.attach(text, start, gap, within=character == '"' and self._is_quoting(text, gap.end)):
                return True
        return False

    def _is_quoting(self, text: str, at: int) -> bool:
        """Whether a straight quotation mark stands open before `at`."""
        if at >= self._counted:
            self._quoting ^= text.count('"', self._counted, at) % 2 == 1
        else:
            self._quoting ^= text.count('"', at, self._counted) % 2 == 1
        self._counted = at
        return self._quoting

    def _forced_end(self, text: str, start: int) -> int:
        space = text.rfind(" ", start + CAP // 2, start + CAP)
        end = start + CAP if space < 0 else space + 1
        self._gap = None
        self._scanned = end
        return end


@cache
def _rules(language: str) -> Rules:
    return Rules(load(language).sentences)
