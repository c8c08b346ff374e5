"""Whether a stop ends a sentence: abbreviations, initials, ordinals, numbering, quotation marks.

Decides one place at a time from what stands before the stop, what the gap after it holds, and one visible
character. It keeps no state and does no scanning beyond a few words back.
"""

import re

from guardrails.latch_sections import Sentences, expand
from guardrails.markers import MARKER

ELLIPSES = ".…"
STRONG = "!?。！？؟।॥۔‼⁇⁈⁉｡"
STOPS = ELLIPSES + STRONG
BREAKS = "\n\r\u2028\u2029"

# Stops of scripts that are written without a space after the stop, or whose stop has no other use.
_UNSPACED = "。！？؟।॥۔｡"
_EMPHASIS = "*_~"
_BRACKET_CLOSERS = ")]}）］】"
_CONTINUING = ",;:،؛，；：、-–—‐‑―%&/=+<>)]}）］】"
_BEFORE_WORD = "([{<\"'“”„‟‘’‚«»‹›¿¡*_~（［「『《〈【-–—/"
# A letter may carry vowel signs, as in "कि.मी."
_LETTER = "[^\\W\\d_][\u0900-\u0903\u093a-\u094f]*"
_LETTERS_WITH_DOTS = re.compile(rf"(?:(?:{_LETTER}){{1,2}}\.)+(?:{_LETTER}){{1,2}}")
_ROMAN = re.compile(r"[IVXLC]+")
_NUMBER = re.compile(r"\d+")
_NOTHING_YET = re.compile(rf"(?:[\s*_~#>(\-•+]|{MARKER.pattern})*\Z")
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff\u3005\u3007“「『《（]")
# Long enough for three words of an abbreviation written with spaces.
_LOOK_BACK = 32


class Gap:
    """What stands between a stop and the next visible character; it grows as text arrives."""

    __slots__ = ("broken", "end", "loose", "marked", "quoted", "spaced", "stop", "stops")

    def __init__(self, stop: int, stops: str) -> None:
        # A line break is passed over like any white space.
        self.stops = "" if stops in BREAKS else stops
        self.stop = stop
        self.end = stop + len(self.stops)
        self.spaced = self.broken = self.marked = self.quoted = False
        # Whether white space came last.
        self.loose = False

    def pass_spaces(self, spaces: str) -> None:
        self.end += len(spaces)
        self.spaced = self.loose = True
        self.broken = self.broken or not set(BREAKS).isdisjoint(spaces)

    def pass_marker(self, end: int) -> None:
        self.end = end
        self.marked = True
        self.loose = False

    def pass_attached(self, character: str) -> None:
        self.end += 1
        self.loose = False
        if character in STOPS:
            self.stops += character
        elif character not in _BRACKET_CLOSERS + _EMPHASIS:
            self.quoted = True

    def move(self, distance: int) -> None:
        self.stop += distance
        self.end += distance


class Rules:
    """The rules of one language."""

    def __init__(self, data: Sentences) -> None:
        self._data = data
        self._always = _keys(data.abbreviations)
        self._final = _keys(data.final_abbreviations)
        self._before_number = _keys(data.number_abbreviations)
        self._closers = frozenset(data.closers + _BRACKET_CLOSERS)
        self._only_closers = self._closers - set(data.openers)
        self._continuing = self._only_closers | set(_CONTINUING)

    def attaches(self, text: str, start: int, gap: Gap) -> bool:
        """Whether the character after the gap still belongs to the sentence before it."""
        character = text[gap.end]
        if gap.broken:
            return False
        if character in STOPS:
            return not (gap.marked and gap.loose)
        if gap.spaced:
            return character in self._only_closers
        if character == '"':
            return text.count('"', start, gap.end) % 2 == 1
        return character in self._closers or character in _EMPHASIS or character == "'"

    def ends(self, text: str, start: int, gap: Gap) -> bool:
        """Whether the sentence ends after the gap; the character at its end is the next visible one."""
        if gap.broken:
            return not self._nothing_yet(text, start, gap.stop)
        following = text[gap.end]
        if following.islower() or following in self._continuing:
            return False
        if gap.marked:
            return not self._nothing_yet(text, start, gap.stop)
        if not gap.spaced and not self._ends_unspaced(text, gap):
            return False
        if not set(gap.stops) <= set(ELLIPSES):
            return self._ends_quotation(gap, following)
        if gap.stops != ".":
            return following.isupper() or following in self._data.openers
        return self._ends_quotation(gap, following) and not self._abbreviates(text, start, gap.stop, following)

    def closes(self, text: str, gap: Gap) -> bool:
        """Whether a text that ends with the gap would end a sentence there."""
        return gap.broken or gap.stops != "." or not self._abbreviates(text, 0, gap.stop, "")

    def _nothing_yet(self, text: str, start: int, stop: int) -> bool:
        return stop - start <= _LOOK_BACK and _NOTHING_YET.match(text, start, stop) is not None

    def _ends_unspaced(self, text: str, gap: Gap) -> bool:
        if not set(gap.stops).isdisjoint(_UNSPACED):
            return True
        # ASCII stops in Chinese text; elsewhere a stop without a space is a part of a name or a number.
        return bool(_HAN.match(text, gap.stop - 1) and _HAN.match(text, gap.end)) if gap.stop else False

    def _ends_quotation(self, gap: Gap, following: str) -> bool:
        """After a closing quotation mark only case, or the language's own habit, tells a new sentence."""
        return (
            not gap.quoted
            or following.isupper()
            or not set(gap.stops).isdisjoint(self._data.ends_inside_quotes)
            or (following in self._data.openers and following not in self._data.closers)
        )

    def _abbreviates(self, text: str, start: int, stop: int, following: str) -> bool:
        """Whether the full stop at `stop` belongs to the word before it."""
        before = text[max(start, stop - _LOOK_BACK) : stop]
        tokens = before.split()
        if not tokens or before[-1].isspace():
            return False
        word = tokens[-1].lstrip(_BEFORE_WORD)
        if _NUMBER.fullmatch(word):
            if self._nothing_yet(text, start, stop - len(word)):
                return True
            counted = not self._before_number.isdisjoint(_endings([token.removesuffix(".") for token in tokens[-2:-1]]))
            return self._data.ordinal_dot and len(word) <= 3 and not counted
        endings = _endings(tokens[-3:])
        if not self._final.isdisjoint(endings):
            return False
        if not self._always.isdisjoint(endings):
            return True
        if not self._before_number.isdisjoint(endings) and following.isdigit():
            return True
        if self._data.ordinal_dot and _ROMAN.fullmatch(word):
            return True
        return (len(word) == 1 and word.isalpha()) or _LETTERS_WITH_DOTS.fullmatch(word) is not None


def _keys(entries: frozenset[str]) -> frozenset[str]:
    return frozenset(" ".join(entry.casefold().split()).removesuffix(".") for entry in expand(entries))


def _endings(tokens: list[str]) -> list[str]:
    """The last one, two and three words as abbreviations are listed; a hyphen or apostrophe begins a word too."""
    plain = ["#" if token.isdigit() else token.casefold() for token in tokens]
    found = [plain[-1].rpartition(separator)[2] for separator in "-'’"] if plain else []
    for count in range(1, len(plain) + 1):
        first, *others = plain[-count:]
        found.append(" ".join([first.lstrip(_BEFORE_WORD), *others]))
    return found
