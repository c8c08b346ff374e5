"""Tries the patterns of all languages on a reading at once, behind an index from words to templates.

A question pays for the words it has, not for the patterns we know. Where each group of words stands is an
integer with one bit a position, so that a template costs a few shifts and never backtracks: the work is linear
in the question whatever it repeats. It finds matches; what they mean is for the caller.
"""

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from guardrails.language import Language, Pattern
from guardrails.lexicon import Group, Lexicon
from guardrails.readings import Reading
from guardrails.templates import Line, Template, parse

# So many greetings and courtesies may precede a clause or follow a question.
_COURTESIES = 6


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern, with the language it is written in and what it stands for."""

    language: str
    meaning: str
    pattern: Pattern


@dataclass(frozen=True, slots=True)
class Match:
    """Which rule matched by which template; `place()` finds from where to where in the original question."""

    rule: Rule
    template: str
    place: Callable[[], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class _Step:
    group: Group
    optional: bool
    widenings: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Line:
    steps: tuple[_Step, ...]
    required: tuple[frozenset[str], ...]
    language: str
    at_start: bool
    at_end: bool


@dataclass(frozen=True, slots=True)
class _Candidate:
    order: int
    rule: Rule
    template: str
    line: _Line
    before: tuple[_Line, ...]
    unless: tuple[_Line, ...]


@contextmanager
def _no_collection() -> Iterator[None]:
    """Building makes millions of objects and no garbage: looking for it would be a third of the work."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class PatternIndex:
    """All rules of a kind, compiled. Build it once; it never changes and threads may share it."""

    def __init__(self, languages: Iterable[Language], rules: Iterable[Rule]) -> None:
        languages = tuple(languages)
        self.lexicon = Lexicon(languages)
        self._openers = {each.code: self.lexicon.texts(each.words.openers, each.code) for each in languages}
        self._closers = {each.code: self.lexicon.texts(each.words.closers, each.code) for each in languages}
        self._triggers: dict[str, list[_Candidate]] = {}
        self._expressions: list[tuple[Rule, Template, tuple[_Line, ...]]] = []
        self._count = 0
        with _no_collection():
            for rule in rules:
                self._add(rule)

    def _add(self, rule: Rule) -> None:
        grammar = self.lexicon.grammar(rule.language)
        unless = tuple(
            self._line(line, rule.language) for source in rule.pattern.unless for line in parse(source, grammar).lines
        )
        for source in rule.pattern.templates:
            template = parse(source, grammar)
            if template.expression:
                self._expressions.append((rule, template, unless))
            before = tuple(self._line(line, rule.language) for line in template.before)
            for line in template.lines:
                candidate = _Candidate(self._count, rule, source, self._line(line, rule.language), before, unless)
                self._count += 1
                for term in min(candidate.line.required, key=self.lexicon.commonness):
                    self._triggers.setdefault(term, []).append(candidate)

    def _line(self, line: Line, code: str) -> _Line:
        steps = tuple(
            _Step(self.lexicon.group(choice.phrases, choice.sets, code), choice.optional, _widenings(choice.gap))
            for choice in line.choices
        )
        required = tuple(step.group.terms for step in steps if not step.optional)
        return _Line(steps, required, code, line.at_start, line.at_end)

    def matches(self, reading: Reading, previous: Reading | None = None) -> list[Match]:
        """Every rule that matches, once, in the order of the rules."""
        found: dict[int, Match] = {}
        scans = [self._scan(window) for window in reading.windows()]
        for scan in scans:
            for candidate in self._candidates(scan):
                if id(candidate.rule) not in found and self._applies(candidate, scan, previous):
                    place = partial(scan.place, candidate.line)
                    found[id(candidate.rule)] = Match(candidate.rule, candidate.template, place)
        for rule, template, unless in self._expressions:
            match = template.expression and template.expression.search(reading.text)
            if match and id(rule) not in found and not any(scan.ends(line) for scan in scans for line in unless):
                found[id(rule)] = Match(rule, template.source, partial(reading.original, *match.span()))
        return list(found.values())

    def _applies(self, candidate: _Candidate, scan: "_Scan", previous: Reading | None) -> bool:
        if not scan.has(candidate.line):
            return False
        if candidate.before and not (previous and any(map(self._scan(previous).ends, candidate.before))):
            return False
        return not any(map(scan.ends, candidate.unless))

    def _scan(self, reading: Reading) -> "_Scan":
        return _Scan(reading, self.lexicon.find(reading), self._openers, self._closers)

    def _candidates(self, scan: "_Scan") -> list[_Candidate]:
        triggers = self._triggers
        found = {each.order: each for term in scan.found if term in triggers for each in triggers[term]}
        return [found[order] for order in sorted(found)]


class _Scan:
    """One reading with the positions of everything known in it."""

    __slots__ = ("_begins", "_closers", "_finishes", "_masks", "_openers", "_reading", "_terms", "found")

    def __init__(
        self, reading: Reading, found: dict[str, int], openers: dict[str, Group], closers: dict[str, Group]
    ) -> None:
        self.found = found
        self._terms = frozenset(found)
        self._masks: dict[frozenset[str], int] = {}
        self._reading = reading
        self._openers = openers
        self._closers = closers
        self._begins: dict[str, int] = {}
        self._finishes: dict[str, int] = {}

    def has(self, line: _Line) -> bool:
        """Whether the line matches, and ends where the reading says that a match must."""
        return self.ends(line) >> (self._reading.tail + 1) != 0

    def ends(self, line: _Line, within: int = -1) -> int:
        """The positions after a match of the line that begins at one of `within`."""
        if any(map(self._terms.isdisjoint, line.required)):
            return 0
        reach = within & self._clause_starts(line.language) if line.at_start else within
        for step in line.steps:
            for width in step.widenings:
                reach |= reach << width
            after = self._after(reach, step.group)
            reach = after | reach if step.optional else after
            if not reach:
                return 0
        return reach & self._question_ends(line.language) if line.at_end else reach

    def place(self, line: _Line) -> tuple[int, int]:
        """Where the first match of the line stands in the original."""
        reading = self._reading
        for first, position in enumerate(reading.positions):
            if ends := self.ends(line, 1 << position) >> (reading.tail + 1) << (reading.tail + 1):
                last = reading.index_before((ends & -ends).bit_length() - 1)
                return reading.original(reading.firsts[first], reading.lasts[last])
        raise AssertionError("a line that matched begins somewhere")

    def _clause_starts(self, code: str) -> int:
        if code not in self._begins:
            group = self._openers[code]
            self._begins[code] = _spread(_bits(self._reading.starts), lambda mask: self._after(mask, group))
        return self._begins[code]

    def _question_ends(self, code: str) -> int:
        if code not in self._finishes:
            group = self._closers[code]
            self._finishes[code] = _spread(_bits(self._reading.ends), lambda mask: self._before(mask, group))
        return self._finishes[code]

    def _after(self, reach: int, group: Group) -> int:
        """The positions after a term of the group that begins at one of `reach`."""
        after = 0
        for length, terms in group.by_length:
            if mask := self._mask(terms):
                after |= (reach & mask) << length
        return after

    def _before(self, reach: int, group: Group) -> int:
        """The positions where a term of the group begins that ends before one of `reach`."""
        before = 0
        for length, terms in group.by_length:
            before |= (reach >> length) & self._mask(terms)
        return before

    def _mask(self, terms: frozenset[str]) -> int:
        mask = self._masks.get(terms)
        if mask is None:
            mask = 0
            for term in self._terms & terms:
                mask |= self.found[term]
            self._masks[terms] = mask
        return mask


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
