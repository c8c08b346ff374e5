"""Statements of a fee, an availability or a commitment in the owner's name, whatever the sources say.

Patterns of the answer's language, in the templates of the language files, for what layer 1 let through.
"""

import re
from collections.abc import Collection, Sequence
from functools import cache

from guardrails.language import Language, load
from guardrails.lexicon import Lexicon
from guardrails.one_of import one_of
from guardrails.patterns import PatternIndex, rules
from guardrails.plain import parted
from guardrails.readings import read
from guardrails.templates import PLACEHOLDERS, Atom, Choice, parse, phrases
from guardrails.text import HAN, fold, folded_stop_words

_HAN = re.compile(f"[{HAN}]")


def commits(sentence: str, language: str, folded: str | None = None) -> str | None:
    """The words that commit the owner, or None. `folded` is the sentence's matching form, where it is known."""
    index = _index(language)
    if index is None:
        return None
    # Most sentences hold too few of the words of any pattern, and need not be taken apart for it.
    if not _may_commit(fold(sentence).text if folded is None else folded, language):
        return None
    matches = index.matches("commitment", read(sentence))
    if not matches:
        return None
    start, end = matches[0].place()
    return f"{matches[0].rule.pattern.name}: {sentence[start:end]}"


@cache
def _index(language: str) -> PatternIndex | None:
    data = load(language)
    return PatternIndex([data], {"commitment": rules(data, "commitment")}) if data.commitment.statements else None


def _may_commit(folded: str, language: str) -> bool:
    lines, glued = _outlines(language)
    spaced = parted(folded)
    if lines:
        words = spaced.split()
        for word in lines.keys() & words:
            if any(not any(other.isdisjoint(words) for other in others) for others in lines[word]):
                return True
    if not glued:
        return False
    # Words that are written together need not be parted alike.
    run = spaced.replace(" ", "")
    for part in _parts_in(run, language):
        for others in glued[part]:
            if all(any(map(run.__contains__, other)) for other in others):
                return True
    return False


def _parts_in(run: str, language: str) -> set[str]:
    """The parts by which an outline is found that the run has."""
    expression, beginnings = _longest_part(language)
    parts = beginnings[""]
    found = expression.search(run)
    while found:
        parts = parts | beginnings[found.group()]
        found = expression.search(run, found.start() + 1)
    return parts


@cache
def _longest_part(language: str) -> tuple[re.Pattern[str], dict[str, set[str]]]:
    """An expression for the longest part at a place, and with which parts each begins, itself among them."""
    parts = _outlines(language)[1]
    beginnings = {whole: {part for part in parts if whole.startswith(part)} for whole in ("", *parts)}
    return re.compile(one_of(parts)), beginnings


@cache
def _outlines(language: str) -> tuple[dict[str, list[list[frozenset[str]]]], dict[str, list[list[frozenset[str]]]]]:
    """What a sentence must hold for a pattern to match.

    By each word of its rarest choice, the words of the other choices of a line; and the same by parts of words for
    the lines whose words may be written together with others.
    """
    data, index = load(language), _index(language)
    lines: dict[str, list[list[frozenset[str]]]] = {}
    glued: dict[str, list[list[frozenset[str]]]] = {}
    if index is None:
        return lines, glued
    lexicon, stop = index.lexicon, folded_stop_words(language)
    templates = [
        parse(source, data.words.gap) for pattern in data.commitment.statements for source in pattern.templates
    ]
    if any(template.expression for template in templates):
        return lines, {"": [[]]}
    for line in (line for template in templates for line in template.lines):
        choices = [_longest(choice, data, lexicon) for choice in line.choices if not choice.optional]
        choices.sort(key=lambda atoms: sum(_commonness(atom, stop) for atom in atoms))
        if all(_stands_alone(atom, data) for atom in choices[0]):
            others = [atoms for atoms in choices[1:] if all(_stands_alone(atom, data) for atom in atoms)]
            outline = [frozenset(atom.text for atom in atoms) for atoms in others]
            for atom in choices[0]:
                lines.setdefault(atom.text, []).append(outline)
        else:
            first, *rest = (frozenset(_part(atom, data) for atom in atoms) for atoms in choices)
            for part in first:
                glued.setdefault(part, []).append(rest)
    return lines, glued


def _part(atom: Atom, language: Language) -> str:
    if atom.text in PLACEHOLDERS:
        return ""
    # Arabic ة becomes ت before a suffix: such a last letter says nothing.
    changing = tuple(fold(letter).text for letter in language.words.bound_endings.values())
    return atom.text[:-1] if changing and atom.text.endswith(changing) else atom.text


def _longest(choice: Choice, language: Language, lexicon: Lexicon) -> set[Atom]:
    """The longest word of each phrase: a sentence that has none of them lacks the choice."""
    longest: set[Atom] = set()
    for phrase in phrases(choice.text, language.words.respellings):
        if words := [atom for atom in phrase if atom.kind != "set"]:
            longest.add(_telling(words) if len(words) == len(phrase) else max(words, key=lambda atom: len(atom.text)))
        else:
            members = lexicon.set_phrases(phrase[0].text, language.code)
            longest |= set(map(_telling, members))
    return longest


def _telling(phrase: Sequence[Atom]) -> Atom:
    """The longest word; of Han characters, which stand side by side, all of them."""
    if all(_HAN.match(atom.text) for atom in phrase):
        return Atom("".join(atom.text for atom in phrase))
    return max(phrase, key=lambda atom: len(atom.text))


def _stands_alone(atom: Atom, language: Language) -> bool:
    glued = language.words.proclitics or language.words.enclitics or not atom.text.isascii()
    return atom.kind == "word" and not glued and atom.text not in PLACEHOLDERS


def _commonness(atom: Atom, stop: Collection[str]) -> int:
    """A rough guess at how often a sentence holds a word."""
    if atom.text in PLACEHOLDERS:
        return 1_000
    return 200 if atom.text in stop else 30 if len(atom.text) < 4 else 1
