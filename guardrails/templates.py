"""Parses the templates of the language files, which a native speaker who does not program can read.

`{a|b c|d*}` one of these · `[a|b]` one of these or nothing · `<set>` a named set of words · `…` a few words ·
`A & B` both, in either order · `^` where a clause begins · `$` where the question ends · `before >> now` with
the previous question · `/…/` a regular expression. It knows words, not questions: matching is in `patterns`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, permutations, product
from typing import Literal

from guardrails.text import HAN, WORD, fold

# Stand-ins that the reading of a question puts in place of what they name.
PLACEHOLDERS = frozenset({"<name>", "<name's>", "<number>", "<url>", "<quote>", "<sum>", "<price>", "<code>"})
_WILD_MINIMUM = 2


class TemplateError(ValueError):
    """A template can't be read; the message shows it. To be corrected in the language file."""


@dataclass(frozen=True, slots=True)
class Atom:
    """One word, or the beginning or the end of one."""

    text: str
    kind: Literal["word", "prefix", "suffix"] = "word"


Phrase = tuple[Atom, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several phrases or named sets; after a gap where `gap` is the number of words it may have."""

    phrases: frozenset[Phrase]
    sets: frozenset[str]
    optional: bool
    gap: int


@dataclass(frozen=True, slots=True)
class Line:
    """Choices in one order, perhaps tied to where a clause begins and where the question ends."""

    choices: tuple[Choice, ...]
    at_start: bool
    at_end: bool


@dataclass(frozen=True, slots=True)
class Template:
    """What a template says: any of `lines` matches, after any of `before` matched the previous question."""

    source: str
    lines: tuple[Line, ...]
    before: tuple[Line, ...]
    expression: re.Pattern[str] | None


@dataclass(frozen=True, slots=True)
class Grammar:
    """What parsing needs to know of the language: gap widths, respellings and its named sets."""

    gap: int
    respellings: Mapping[str, str]
    sets: Mapping[str, frozenset[Phrase]]

    @property
    def wide_gap(self) -> int:
        """Between the parts of `A & B`, which may stand anywhere in the sentence."""
        return 2 * self.gap


def parse(source: str, grammar: Grammar) -> Template:
    """The template of a line in a language file; raises TemplateError."""
    try:
        if len(source) > 2 and source[0] == source[-1] == "/":
            return Template(source, (), (), re.compile(source[1:-1]))
        before, parted, now = source.rpartition(">>")
        return Template(source, _lines(now, grammar), _lines(before, grammar) if parted else (), None)
    except (TemplateError, re.error) as error:
        raise TemplateError(f"template {source!r}: {error}") from error


def parse_phrases(text: str, grammar: Grammar) -> tuple[frozenset[Phrase], frozenset[str]]:
    """The phrases of `a|b c|d*`, in every spelling, and the sets that stand alone among them."""
    phrases: set[Phrase] = set()
    sets: set[str] = set()
    for choice in text.split("|"):
        name = choice.strip()
        if name[1:-1] in grammar.sets and name == f"<{name[1:-1]}>":
            sets.add(name[1:-1])
            continue
        spellings = _spellings(name, grammar.respellings) if grammar.respellings else (name,)
        for spelling in spellings:
            if "<" in spelling:
                phrases |= _phrases(spelling, grammar)
            else:
                phrases.add(_words(spelling))
    return frozenset(phrases), frozenset(sets)


_BARE = r"[^\s{}\[\]…<>]+"
_PIECE = re.compile(
    r"\{(?P<one>[^{}\[\]]*)\}|\[(?P<maybe>[^{}\[\]]*)\]|(?P<gap>…)"
    rf"|(?P<set><[^<>]+>)|(?P<words>{_BARE}(?:\s+{_BARE})*)"
)


def _lines(source: str, grammar: Grammar) -> tuple[Line, ...]:
    if "..." in source:
        raise TemplateError("a gap is written …, as one character")
    text = source.strip()
    at_start, at_end = text.startswith("^"), text.endswith("$")
    parts = [_choices(part, grammar) for part in text.strip("^$").split(" & ")]
    if len(parts) == 1:
        return (Line(parts[0], at_start, at_end),)
    if at_start or at_end or len(parts) > 3:
        raise TemplateError("`&` joins two or three parts, without `^` or `$`")
    return tuple(Line(_joined(order, grammar.wide_gap), at_start=False, at_end=False) for order in permutations(parts))


def _joined(parts: Sequence[tuple[Choice, ...]], gap: int) -> tuple[Choice, ...]:
    choices: list[Choice] = []
    for part in parts:
        first = part[0]
        choices.append(Choice(first.phrases, first.sets, first.optional, gap if choices else 0))
        choices += part[1:]
    return tuple(choices)


def _choices(part: str, grammar: Grammar) -> tuple[Choice, ...]:
    if stray := _PIECE.sub("", part).strip():
        raise TemplateError(f"{stray!r} has no place here")
    choices: list[Choice] = []
    gap = 0
    for piece in _PIECE.finditer(part):
        if piece["gap"]:
            gap = grammar.gap
            continue
        text = piece["one"] or piece["maybe"] or piece["set"] or piece["words"] or ""
        phrases, sets = parse_phrases(text, grammar)
        choices.append(Choice(phrases, sets, piece["maybe"] is not None, gap))
        gap = 0
    if gap or all(choice.optional for choice in choices):
        raise TemplateError("a gap stands between words, and something must be required")
    return tuple(choices)


def _spellings(text: str, respellings: Mapping[str, str]) -> set[str]:
    lowered = text.casefold()
    around = lowered
    for letter, spelled in respellings.items():
        around = around.replace(letter, spelled)
    return {text, around if around != lowered else text}


# The end of a word may begin with a vowel sign, as the future of Hindi verbs does; no word does.
_VOWEL_SIGNS = "[\u0900-\u0903\u093a-\u094f]"
_ATOM = re.compile(rf"(?P<before>\*)?(?P<text>[{HAN}]|(?:(?<=\*){_VOWEL_SIGNS}+)?{WORD})(?P<after>\*)?|(?P<stray>[*])")
_SET = re.compile(r"(<[^<>]+>)")
_BETWEEN_WORDS = str.maketrans("", "", " '-._/&")


def _phrases(text: str, grammar: Grammar) -> set[Phrase]:
    """The phrases of a choice that has a set among its words."""
    parts = [_members(part, grammar) for part in _SET.split(text) if part.strip()]
    return {tuple(chain.from_iterable(combination)) for combination in product(*parts)}


def _members(part: str, grammar: Grammar) -> frozenset[Phrase]:
    if not _SET.fullmatch(part):
        return frozenset({_words(part)})
    if part in PLACEHOLDERS:
        return frozenset({(Atom(part),)})
    if part[1:-1] not in grammar.sets:
        raise TemplateError(f"there is no set {part}")
    return grammar.sets[part[1:-1]]


@cache
def _words(text: str) -> Phrase:
    if not text:
        raise TemplateError("a choice is empty")
    if text.isascii() and text.replace(" ", "").isalpha():
        return tuple(map(Atom, text.lower().split()))
    folded = fold(text).text
    stray = _ATOM.sub("", folded).translate(_BETWEEN_WORDS)
    atoms = tuple(_atom(match) for match in _ATOM.finditer(folded))
    if not atoms or stray:
        raise TemplateError(f"{stray!r} has no place in {text!r}" if stray else f"{text!r} holds no word")
    return atoms


def _atom(match: re.Match[str]) -> Atom:
    text = match["text"]
    if not text or (match["before"] and match["after"]):
        raise TemplateError(f"{match.group()!r} is neither a word nor the beginning or the end of one")
    if not match["before"] and not match["after"]:
        return Atom(text)
    if len(text) < _WILD_MINIMUM:
        raise TemplateError(f"{match.group()!r} would match too much")
    return Atom(text, "suffix" if match["before"] else "prefix")
