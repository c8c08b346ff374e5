"""Parses the templates of the language files, which a native speaker who does not program can read.

`{a|b c|d*}` one of these · `[a|b]` one of these or nothing · `<set>` a named set of words · `…` a few words ·
`A & B` both, in either order · `^` where a clause begins · `$` where the question ends · `before >> now` with
the previous question · `/…/` a regular expression. It knows words, not questions: matching is in `patterns`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Literal, NamedTuple

from guardrails.text import HAN, WORD, fold

# Stand-ins that the reading of a question puts in place of what they name.
PLACEHOLDERS = frozenset({"<name>", "<name's>", "<number>", "<url>", "<quote>", "<sum>", "<price>", "<code>"})
_WILD_MINIMUM = 2


class TemplateError(ValueError):
    """A template can't be read; the message shows it. To be corrected in the language file."""


class Atom(NamedTuple):
    """One word, the beginning or the end of one, or a named set of phrases."""

    text: str
    kind: Literal["word", "prefix", "suffix", "set"] = "word"


Phrase = tuple[Atom, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several phrases, as written between `|`; after a gap where `gap` is the number of words it may have."""

    text: str
    optional: bool
    gap: int


@dataclass(frozen=True, slots=True)
class Line:
    """Choices in one order, perhaps tied to where a clause begins and where the question ends."""

    choices: tuple[Choice, ...]
    at_start: bool
    at_end: bool

    @property
    def required(self) -> list[str]:
        """The texts of the choices that a match has."""
        return [choice.text for choice in self.choices if not choice.optional]


@dataclass(frozen=True, slots=True)
class Template:
    """What a template says: any of `lines` matches, after any of `before` matched the previous question."""

    source: str
    lines: tuple[Line, ...]
    before: tuple[Line, ...]
    expression: re.Pattern[str] | None


def parse(source: str, gap: int) -> Template:
    """The template of a line in a language file whose `…` lets `gap` words pass; raises TemplateError."""
    try:
        if len(source) > 2 and source[0] == source[-1] == "/":
            return Template(source, (), (), re.compile(source[1:-1]))
        before, parted, now = source.rpartition(">>")
        return Template(source, _lines(now, gap), _lines(before, gap) if parted else (), None)
    except (TemplateError, re.error) as error:
        raise TemplateError(f"template {source!r}: {error}") from error


def phrases(text: str, respellings: Mapping[str, str]) -> Iterable[Phrase]:
    """The phrases of `a|b c|d*|<set> e`, in every spelling; raises TemplateError."""
    found: dict[Phrase, None] = {}
    for choice in text.split("|"):
        name = choice.strip()
        for spelling in (name,) if _SET.fullmatch(name) else spellings(name, respellings):
            found[_phrase(spelling) if "<" in spelling else _words(spelling)] = None
    return found


_BARE = r"[^\s{}\[\]…<>]+"
_PIECE = re.compile(
    r"\{(?P<one>[^{}\[\]]*)\}|\[(?P<maybe>[^{}\[\]]*)\]|(?P<gap>…)"
    rf"|(?P<set><[^<>]+>)|(?P<words>{_BARE}(?:\s+{_BARE})*)"
)


def _lines(source: str, gap: int) -> tuple[Line, ...]:
    if "..." in source:
        raise TemplateError("a gap is written …, as one character")
    text = source.strip()
    at_start, at_end = text.startswith("^"), text.endswith("$")
    parts = [_choices(part, gap) for part in text.strip("^$").split(" & ")]
    if len(parts) == 1:
        return (Line(parts[0], at_start, at_end),)
    if at_start or at_end or len(parts) > 3:
        raise TemplateError("`&` joins two or three parts, without `^` or `$`")
    # What is joined by `&` may stand anywhere in the sentence: its gap is wider.
    return tuple(Line(_joined(order, 2 * gap), at_start=False, at_end=False) for order in permutations(parts))


def _joined(parts: Sequence[tuple[Choice, ...]], gap: int) -> tuple[Choice, ...]:
    choices: list[Choice] = []
    for part in parts:
        first = part[0]
        choices.append(Choice(first.text, first.optional, gap if choices else 0))
        choices += part[1:]
    return tuple(choices)


def _choices(part: str, width: int) -> tuple[Choice, ...]:
    choices: list[Choice] = []
    gap = reached = 0
    for piece in _PIECE.finditer(part):
        if stray := part[reached : piece.start()].strip():
            raise TemplateError(f"{stray!r} has no place here")
        reached = piece.end()
        if piece.lastgroup == "gap":
            gap = width
            continue
        choices.append(Choice(piece[piece.lastgroup or 0], piece.lastgroup == "maybe", gap))
        gap = 0
    if stray := part[reached:].strip():
        raise TemplateError(f"{stray!r} has no place here")
    if gap or all(choice.optional for choice in choices):
        raise TemplateError("a gap stands between words, and something must be required")
    return tuple(choices)


def spellings(text: str, respellings: Mapping[str, str]) -> set[str]:
    """The text as it stands and, where that differs, in lower case with its letters spelled around; both also with
    what a non-joiner parts run together, as in Persian many type it."""
    found = {text}
    if respellings:
        lowered = text.casefold()
        around = "".join(part if part.startswith("<") else _around(part, respellings) for part in _SET.split(lowered))
        if around != lowered:
            found.add(around)
    return found | {each.replace(_NON_JOINER, "") for each in found} if _NON_JOINER in text else found


def _around(text: str, respellings: Mapping[str, str]) -> str:
    for letter, spelled in respellings.items():
        text = text.replace(letter, spelled)
    return text


# The end of a word may begin with a vowel sign, as the future of Hindi verbs does; no word does.
_VOWEL_SIGNS = "[\u0900-\u0903\u093a-\u094f]"
_ATOM = re.compile(rf"(?P<before>\*)?(?P<text>[{HAN}]|(?:(?<=\*){_VOWEL_SIGNS}+)?{WORD})(?P<after>\*)?|(?P<stray>[*])")
_SET = re.compile(r"(<[^<>]+>)")
_NON_JOINER = "\u200c"
_BETWEEN_WORDS = str.maketrans("", "", " '-._/&")


def _phrase(text: str) -> Phrase:
    """A phrase with a set or a stand-in among its words."""
    atoms: list[Atom] = []
    for part in _SET.split(text):
        if part in PLACEHOLDERS:
            atoms.append(Atom(part))
        elif _SET.fullmatch(part):
            atoms.append(Atom(part[1:-1], "set"))
        elif part.strip():
            atoms += _words(part)
    return tuple(atoms)


@lru_cache(200_000)
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
