"""The signs at which a sentence may end, and what stands between such a sign and the next visible character.

A gap only records; whether a sentence ends there is for `sentence_rules`.
"""

from typing import Literal

# "joins": the sentence goes on; "doubtful", "initial": it ends if what follows is sure to begin one, after an initial
# surer still; "numbered": it ends unless a Roman numeral or a letter follows; "ends": like any full stop.
Reading = Literal["joins", "doubtful", "initial", "numbered", "ends"]

ELLIPSES = ".…"
STRONG = "!?。！？؟।॥۔｡‼⁇⁈⁉"
STOPS = ELLIPSES + STRONG
BREAKS = "\n\r\u2028\u2029"
BRACKET_CLOSERS = ")]}）］】"
EMPHASIS = "*_~"
_BREAKS = frozenset(BREAKS)


class Gap:
    """It grows as text arrives. `earlier` is the gap as it was before a sign that may open the next sentence."""

    __slots__ = (
        "bracketed",
        "broken",
        "dashed",
        "earlier",
        "end",
        "loose",
        "marked",
        "quoted",
        "reading",
        "spaced",
        "stop",
        "stops",
    )

    def __init__(self, stop: int, stops: str) -> None:
        # A line break is passed over like any white space.
        self.stops = "" if stops in BREAKS else stops
        self.stop = stop
        self.end = stop + len(self.stops)
        self.spaced = self.broken = self.marked = self.quoted = self.bracketed = self.dashed = False
        # Whether white space came last.
        self.loose = False
        self.earlier: Gap | None = None
        # How a lone full stop was read, kept while what follows is waited for.
        self.reading: Reading | None = None

    def pass_spaces(self, spaces: str) -> None:
        self.end += len(spaces)
        self.spaced = self.loose = True
        self.broken = self.broken or not _BREAKS.isdisjoint(spaces)

    def pass_marker(self, end: int) -> None:
        self.end = end
        self.marked = True
        self.loose = False

    def pass_attached(self, character: str) -> None:
        if character in STOPS:
            if self.bracketed or self.quoted:
                self.stop, self.stops, self.bracketed, self.quoted = self.end, "", False, False
            self.stops += character
        elif character in BRACKET_CLOSERS:
            self.bracketed = True
        elif character not in EMPHASIS:
            self.quoted = True
        self.end += 1
        self.loose = False

    def pass_doubtful(self, character: str, *, dash: bool = False) -> None:
        """A sign that belongs to what follows if that is glued to it; a dash, if a sentence follows it."""
        self.earlier = self.earlier or self._copy()
        self.dashed = dash
        self.pass_attached(character)

    def _copy(self) -> "Gap":
        gap = Gap(self.stop, self.stops)
        gap.end, gap.spaced, gap.loose, gap.broken = self.end, self.spaced, self.loose, self.broken
        gap.marked, gap.quoted, gap.bracketed = self.marked, self.quoted, self.bracketed
        return gap

    def move(self, distance: int) -> None:
        self.stop += distance
        self.end += distance
        if self.earlier:
            self.earlier.move(distance)
