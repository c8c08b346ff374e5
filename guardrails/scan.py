"""One reading as the positions of everything known in it: an integer a group of words, with one bit a position.

A template's line costs a few shifts and never backtracks: the work is linear in the question whatever it repeats.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from guardrails.lexicon import Group, Lexicon, Part
from guardrails.readings import Reading
from guardrails.templates import Line

# So many greetings and courtesies may precede a clause or follow a question.
_COURTESIES = 6


@dataclass(frozen=True, slots=True)
class Step:
    """A group of words; before it so many words may stand as the shifts in `widenings` let pass."""

    group: Group
    optional: bool
    widenings: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ScanLine:
    """One order in which a template's words may stand; `required`, rarest first, are those without which it can't."""

    steps: tuple[Step, ...]
    required: tuple[frozenset[str], ...]
    language: str
    at_start: bool
    at_end: bool


def compiled(line: Line, code: str, lexicon: Lexicon) -> ScanLine:
    """A template's line with the words that its names stand for in a language."""
    steps = tuple(
        Step(lexicon.group(choice.text, code), choice.optional, _widenings(choice.gap)) for choice in line.choices
    )
    rarest_first = sorted(line.required, key=lambda text: lexicon.commonness(text, code))
    required = tuple(lexicon.group(text, code).anchors for text in rarest_first)
    return ScanLine(steps, required, code, line.at_start, line.at_end)


class Scan:
    """One reading with the positions of everything known in it."""

    __slots__ = (
        "_begins",
        "_clause_starts",
        "_closers",
        "_openers",
        "_question_ends",
        "_reading",
        "_sentence_masks",
        "found",
        "terms",
    )

    def __init__(
        self, reading: Reading, found: dict[str, int], openers: dict[str, Group], closers: dict[str, Group]
    ) -> None:
        self.found = found
        self.terms = frozenset(found)
        self._begins: dict[Group, tuple[tuple[int, int], ...]] = {}
        self._reading = reading
        self._openers = openers
        self._closers = closers
        self._clause_starts: dict[str, int] = {}
        self._question_ends: dict[str, int] = {}
        self._sentence_masks: tuple[int, ...] | None = None

    def has(self, line: ScanLine, within: int = -1) -> bool:
        """Whether the line matches, and ends at one of `within` and where the reading says that a match must."""
        return (self.ends(line) & within) >> (self._reading.tail + 1) != 0

    def without(self, exceptions: Sequence[ScanLine]) -> int:
        """The positions of the sentences in which none of the exceptions stands, each with the one after its end."""
        if len(self._sentences()) == 1:
            return 0 if any(map(self.ends, exceptions)) else -1
        excepted = 0
        for line in exceptions:
            excepted |= self.ends(line)
        return sum(sentence for sentence in self._sentences() if not excepted & sentence)

    def _sentences(self) -> tuple[int, ...]:
        if self._sentence_masks is None:
            positions = self._reading.positions
            jumps = [(last + 1, first) for last, first in pairwise(positions) if first > last + 1]
            firsts = [0, *(first for _, first in jumps)]
            ends = [*(end for end, _ in jumps), positions[-1] + 1 if positions else 0]
            masks = ((2 << end) - (1 << first) for first, end in zip(firsts, ends, strict=True))
            self._sentence_masks = tuple(masks)
        return self._sentence_masks

    def ends(self, line: ScanLine, within: int = -1) -> int:
        """The positions after a match of the line that begins at one of `within`."""
        if any(map(self.terms.isdisjoint, line.required)):
            return 0
        reach = within & self._starts(line.language) if line.at_start else within
        for step in line.steps:
            for width in step.widenings:
                reach |= reach << width
            after = self._after(reach, step.group)
            reach = after | reach if step.optional else after
            if not reach:
                return 0
        return reach & self._finishes(line.language) if line.at_end else reach

    def place(self, line: ScanLine, within: int) -> tuple[int, int]:
        """Where the first match of the line that ends at one of `within` stands in the original."""
        reading = self._reading
        for first, position in enumerate(reading.positions):
            if ends := (self.ends(line, 1 << position) & within) >> (reading.tail + 1) << (reading.tail + 1):
                last = reading.index_before((ends & -ends).bit_length() - 1)
                return reading.original(reading.firsts[first], reading.lasts[last])
        raise AssertionError("a line that matched begins somewhere")

    def begins(self, group: Group) -> tuple[tuple[int, int], ...]:
        """The positions where a phrase of the group begins, as pairs of its length in words and a mask."""
        begins = self._begins.get(group)
        if begins is None:
            begins = self._begins[group] = self._find(group)
        return begins

    def _find(self, group: Group) -> tuple[tuple[int, int], ...]:
        by_length: dict[int, int] = {}
        for anchor in self.terms & group.anchors:
            if length := group.lengths.get(anchor):
                by_length[length] = by_length.get(length, 0) | self.found[anchor]
            for phrase in group.longer.get(anchor, ()):
                _merge(by_length, self._phrase(phrase))
        for named in group.sets:
            _merge(by_length, self.begins(named))
        return tuple(by_length.items())

    def _phrase(self, parts: Iterable[Part]) -> Iterable[tuple[int, int]]:
        """Where the parts follow each other, by the length of them all."""
        reached = {0: -1}
        for part in parts:
            begins = self.begins(part) if isinstance(part, Group) else ((1, self._mask(part)),)
            further: dict[int, int] = {}
            for length, mask in reached.items():
                _merge(further, ((length + more, mask & (begin >> length)) for more, begin in begins))
            reached = further
        return reached.items()

    def _mask(self, terms: frozenset[str]) -> int:
        mask = 0
        for term in terms:
            mask |= self.found.get(term, 0)
        return mask

    def _starts(self, code: str) -> int:
        if code not in self._clause_starts:
            group = self._openers[code]
            self._clause_starts[code] = _spread(_bits(self._reading.starts), lambda mask: self._after(mask, group))
        return self._clause_starts[code]

    def _finishes(self, code: str) -> int:
        if code not in self._question_ends:
            group = self._closers[code]
            self._question_ends[code] = _spread(_bits(self._reading.ends), lambda mask: self._before(mask, group))
        return self._question_ends[code]

    def _after(self, reach: int, group: Group) -> int:
        """The positions after a phrase of the group that begins at one of `reach`."""
        after = 0
        for length, mask in self.begins(group):
            after |= (reach & mask) << length
        return after

    def _before(self, reach: int, group: Group) -> int:
        """The positions where a phrase of the group begins that ends before one of `reach`."""
        before = 0
        for length, mask in self.begins(group):
            before |= (reach >> length) & mask
        return before


def _merge(by_length: dict[int, int], found: Iterable[tuple[int, int]]) -> None:
    for length, mask in found:
        if mask:
            by_length[length] = by_length.get(length, 0) | mask


def _spread(mask: int, step: Callable[[int], int]) -> int:
    for _ in range(_COURTESIES):
        wider = mask | step(mask)
        if wider == mask:
            break
        mask = wider
    return mask


def _bits(positions: Iterable[int]) -> int:
    mask = 0
    for position in positions:
        mask |= 1 << position
    return mask


def _widenings(gap: int) -> tuple[int, ...]:
    """Shifts that together let up to `gap` words pass: 1, 2, 4 … and a rest."""
    shifts: list[int] = []
    reached = 0
    while reached < gap:
        shifts.append(min(reached + 1, gap - reached))
        reached += shifts[-1]
    return tuple(shifts)
