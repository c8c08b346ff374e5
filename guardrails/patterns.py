"""Tries the patterns of all languages on a reading at once, behind an index from words to templates.

A question pays for the words it has, not for the patterns we know: a template is taken apart when a question
first holds its rarest words, and tried by `guardrails.scan`. It finds matches; what they mean is for the caller.
"""

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache, partial
from itertools import chain

from guardrails.language import Language, Pattern
from guardrails.lexicon import Group, Lexicon
from guardrails.readings import REMEMBERED, Reading
from guardrails.scan import Scan, ScanLine, compiled
from guardrails.templates import Line, Template, parse


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern, with the language it is written in and what it stands for."""

    language: str
    meaning: str
    pattern: Pattern


@dataclass(frozen=True, slots=True)
class Match:
    """Which rule matched by which template, and its exceptions; `place()` finds from where to where in the original."""

    rule: Rule
    template: str
    unless: tuple[ScanLine, ...]
    place: Callable[[], tuple[int, int]]


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
    def lines(self) -> tuple[ScanLine, ...]:
        return self._compiled(self.template.lines)

    @cached_property
    def required(self) -> tuple[frozenset[str], ...]:
        """What a reading must have beside the rarest words; the lines differ only in their order."""
        return self.lines[0].required[1:]

    @cached_property
    def before(self) -> tuple[ScanLine, ...]:
        return self._compiled(self.template.before)

    @cached_property
    def unless(self) -> tuple[ScanLine, ...]:
        gap = self._lexicon.gap(self.rule.language)
        return self._compiled(line for source in self.rule.pattern.unless for line in parse(source, gap).lines)

    def match(self, place: Callable[[], tuple[int, int]]) -> Match:
        """What is told of a match at that place."""
        return Match(self.rule, self.template.source, self.unless, place)

    def _compiled(self, lines: Iterable[Line]) -> tuple[ScanLine, ...]:
        return tuple(compiled(line, self.rule.language, self._lexicon) for line in lines)


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
                    found[id(candidate.rule)] = candidate.match(partial(scan.place, *applied))
        for candidate in self._families[family].expressions:
            expression = candidate.template.expression
            match = expression and expression.search(reading.text)
            if match and id(candidate.rule) not in found and not self.stands(candidate.unless, reading):
                found[id(candidate.rule)] = candidate.match(partial(reading.original, *match.span()))
        return list(found.values())

    def stands(self, lines: Iterable[ScanLine], reading: Reading) -> bool:
        """Whether one of the lines matches somewhere in the reading."""
        return any(scan.ends(line) for scan in self._scans(reading) for line in lines)

    def holds(self, group: Group, reading: Reading) -> bool:
        """Whether the reading has one of the group's phrases."""
        return any(scan.begins(group) for scan in self._scans(reading))

    def _applied(self, candidate: _Candidate, scan: Scan, previous: Reading | None) -> tuple[ScanLine, int] | None:
        """The first line that matches in a sentence without an exception, and where those sentences are."""
        matching = [line for line in candidate.lines if scan.has(line)]
        if not matching or (candidate.template.before and not (previous and self.stands(candidate.before, previous))):
            return None
        if not candidate.unless:
            return matching[0], -1
        within = scan.without(candidate.unless)
        line = next((line for line in matching if scan.has(line, within)), None)
        return (line, within) if line else None

    def _scan(self, reading: Reading) -> tuple[Scan, ...]:
        return tuple(
            Scan(window, self.lexicon.find(window), self._openers, self._closers) for window in reading.windows()
        )
