"""Tries the patterns of all languages on a reading at once, behind an index from words to templates.

A question pays for the words it has, not for the patterns we know: a template is taken apart when a question
first holds its rarest words. Where each group of words stands is an integer with one bit a position, so that a
template costs a few shifts and never backtracks: the work is linear in the question whatever it repeats. It
finds matches; what they mean is for the caller.
"""

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache, partial
from itertools import chain, pairwise

from guardrails.language import Language, Pattern
from guardrails.lexicon import Group, Lexicon, Part
from guardrails.readings import REMEMBERED, Reading
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


def rules(language: Language, family: str) -> Iterator[Rule]:
    """The rules of a section of a language file: `refusal`, `routing`, `followup`, `commitment`, `model_refusal`."""
    section = getattr(language, family)
    for field in fields(section):
        value = getattr(section, field.name)
        if isinstance(value, tuple):
            yield from (Rule(language.code, field.name, pattern) for pattern in value)


class _Candidate:
    """A template that some word of the reading speaks for; taken apart when it is first tried."""

    def __init__(self, rule: Rule, template: Template, lexicon: Lexicon) -> None:
        self.rule = rule
        self.template = template
        self._lexicon = lexicon

    @cached_property
    def lines(self) -> tuple[_Line, ...]:
        return self._compiled(self.template.lines)

    @cached_property
    def required(self) -> tuple[frozenset[str], ...]:
        """What a reading must have beside the rarest words; the lines differ only in their order."""
        return self.lines[0].required[1:]

    @cached_property
    def before(self) -> tuple[_Line, ...]:
        return self._compiled(self.template.before)

    @cached_property
    def unless(self) -> tuple[_Line, ...]:
        gap = self._lexicon.gap(self.rule.language)
        return self._compiled(line for source in self.rule.pattern.unless for line in parse(source, gap).lines)

    def _compiled(self, lines: Iterable[Line]) -> tuple[_Line, ...]:
        return tuple(_compile(line, self.rule.language, self._lexicon) for line in lines)


class _Family:
    """The candidates of one purpose, by the words that speak for them."""

    def __init__(self) -> None:
        self.candidates: list[_Candidate] = []
        self.triggers: dict[str, list[int]] = {}
        self.expressions: list[_Candidate] = []

    def add(self, candidate: _Candidate, anchors: Iterable[str]) -> None:
        """In the order of the rules."""
        for anchor in anchors:
            self.triggers.setdefault(anchor, []).append(len(self.candidates))
        self.candidates.append(candidate)

    def speaking_for(self, terms: Iterable[str]) -> Iterator[_Candidate]:
        """The candidates that one of the terms speaks for, in the order of the rules."""
        triggers = self.triggers
        orders = set(chain.from_iterable(triggers[term] for term in terms if term in triggers))
        return map(self.candidates.__getitem__, sorted(orders))


@contextmanager
def _no_collection() -> Iterator[None]:
    """Building makes many objects and no garbage: looking for it would be a third of the work."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class PatternIndex:
    """All rules, by the family they belong to. Build it once; threads may share it."""

    def __init__(self, languages: Iterable[Language], families: Mapping[str, Iterable[Rule]]) -> None:
        languages = tuple(languages)
        self.lexicon = Lexicon(languages)
        self._openers = {each.code: self.lexicon.texts(each.words.openers, each.code) for each in languages}
        self._closers = {each.code: self.lexicon.texts(each.words.closers, each.code) for each in languages}
        self._families = {family: _Family() for family in families}
        self._scans = lru_cache(REMEMBERED)(self._scan)
        rules = {family: tuple(rules) for family, rules in families.items()}
        for each in languages:
            sources = (
                source
                for family in rules.values()
                for rule in family
                if rule.language == each.code
                for source in (*rule.pattern.templates, *rule.pattern.unless)
            )
            self.lexicon.learn(sources, each.code)
        with _no_collection():
            for family, members in rules.items():
                for rule in members:
                    self._add(rule, self._families[family])

    def _add(self, rule: Rule, family: _Family) -> None:
        gap = self.lexicon.gap(rule.language)
        for source in rule.pattern.unless:
            parse(source, gap)  # a faulty one stops the start, and not the first question that it should silence
        for source in rule.pattern.templates:
            template = parse(source, gap)
            candidate = _Candidate(rule, template, self.lexicon)
            if template.expression:
                family.expressions.append(candidate)
                continue
            rarest = min(template.lines[0].required, key=lambda text: self.lexicon.commonness(text, rule.language))
            family.add(candidate, self.lexicon.group(rarest, rule.language).anchors)

    def compile(self) -> None:
        """Take every template apart now, for whoever checks a language file; raises TemplateError."""
        for family in self._families.values():
            for candidate in (*family.candidates, *family.expressions):
                _ = candidate.lines, candidate.before, candidate.unless

    def matches(self, family: str, reading: Reading, previous: Reading | None = None) -> list[Match]:
        """Every rule of a family that matches, once, in the order of the rules."""
        found: dict[int, Match] = {}
        scans = self._scans(reading)
        for scan in scans:
            absent = scan.terms.isdisjoint
            for candidate in self._families[family].speaking_for(scan.found):
                if any(map(absent, candidate.required)) or id(candidate.rule) in found:
                    continue
                if applied := self._applied(candidate, scan, previous):
                    place = partial(scan.place, *applied)
                    found[id(candidate.rule)] = Match(candidate.rule, candidate.template.source, place)
        for candidate in self._families[family].expressions:
            expression = candidate.template.expression
            match = expression and expression.search(reading.text)
            if match and id(candidate.rule) not in found and not _any_ends(scans, candidate.unless):
                place = partial(reading.original, *match.span())
                found[id(candidate.rule)] = Match(candidate.rule, candidate.template.source, place)
        return list(found.values())

    def holds(self, group: Group, reading: Reading) -> bool:
        """Whether the reading has one of the group's phrases."""
        return any(scan.begins(group) for scan in self._scans(reading))

    def _applied(self, candidate: _Candidate, scan: "_Scan", previous: Reading | None) -> tuple[_Line, int] | None:
        """The first line that matches in a sentence without an exception, and where those sentences are."""
        matching = [line for line in candidate.lines if scan.has(line)]
        if not matching or (candidate.template.before and not (previous and self._asked(candidate, previous))):
            return None
        if not candidate.unless:
            return matching[0], -1
        within = scan.without(candidate.unless)
        line = next((line for line in matching if scan.has(line, within)), None)
        return (line, within) if line else None

    def _asked(self, candidate: _Candidate, previous: Reading) -> bool:
        return _any_ends(self._scans(previous), candidate.before)

    def _scan(self, reading: Reading) -> tuple["_Scan", ...]:
        return tuple(
            _Scan(window, self.lexicon.find(window), self._openers, self._closers) for window in reading.windows()
        )


def _compile(line: Line, code: str, lexicon: Lexicon) -> _Line:
    steps = tuple(
        _Step(lexicon.group(choice.text, code), choice.optional, _widenings(choice.gap)) for choice in line.choices
    )
    rarest_first = sorted(line.required, key=lambda text: lexicon.commonness(text, code))
    required = tuple(lexicon.group(text, code).anchors for text in rarest_first)
    return _Line(steps, required, code, line.at_start, line.at_end)


def _any_ends(scans: Iterable["_Scan"], lines: Iterable[_Line]) -> bool:
    return any(scan.ends(line) for scan in scans for line in lines)


class _Scan:
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

    def has(self, line: _Line, within: int = -1) -> bool:
        """Whether the line matches, and ends at one of `within` and where the reading says that a match must."""
        return (self.ends(line) & within) >> (self._reading.tail + 1) != 0

    def without(self, exceptions: Sequence[_Line]) -> int:
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

    def ends(self, line: _Line, within: int = -1) -> int:
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

    def place(self, line: _Line, within: int) -> tuple[int, int]:
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
