"""Statements of a fee, an availability or a commitment in the owner's name, whatever the sources say.

Patterns of the answer's language, in the templates of the language files, for what layer 1 let through.
"""

from collections.abc import Collection
from functools import cache
from itertools import chain

from guardrails.language import Language, load
from guardrails.patterns import PatternIndex, Rule
from guardrails.plain import rough_words
from guardrails.readings import read
from guardrails.templates import PLACEHOLDERS, Atom, Choice, Grammar, parse
from guardrails.text import fold, folded_stop_words


def commits(sentence: str, language: str) -> str | None:
    """The words that commit the owner, or None."""
    index = _index(language)
    if index is None:
        return None
    # Most sentences hold too few of the words of any pattern, and need not be taken apart for it.
    if not _may_commit(fold(sentence).text, language):
        return None
    matches = index.matches(read(sentence))
    if not matches:
        return None
    start, end = matches[0].place()
    return f"{matches[0].rule.pattern.name}: {sentence[start:end]}"


@cache
def _index(language: str) -> PatternIndex | None:
    patterns = load(language).commitment.statements
    rules = [Rule(language, "commitment", pattern) for pattern in patterns]
    return PatternIndex([load(language)], rules) if rules else None


def _may_commit(folded: str, language: str) -> bool:
    lines, glued = _outlines(language)
    words = set(rough_words(folded))
    for word in words & lines.keys():
        if any(not any(words.isdisjoint(other) for other in others) for others in lines[word]):
            return True
    present = (others for part, lines in glued.items() if part in folded for others in lines)
    return any(all(any(part in folded for part in other) for other in others) for others in present)


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
    grammar, stop = index.lexicon.grammar(language), folded_stop_words(language)
    templates = [parse(source, grammar) for pattern in data.commitment.statements for source in pattern.templates]
    if any(template.expression for template in templates):
        return lines, {"": [[]]}
    for line in (line for template in templates for line in template.lines):
        choices = [_longest(choice, grammar) for choice in line.choices if not choice.optional]
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


def _longest(choice: Choice, grammar: Grammar) -> set[Atom]:
    phrases = chain(choice.phrases, *(grammar.sets[name] for name in choice.sets))
    return {max(phrase, key=lambda atom: len(atom.text)) for phrase in phrases}


def _stands_alone(atom: Atom, language: Language) -> bool:
    glued = language.words.proclitics or language.words.enclitics or not atom.text.isascii()
    return atom.kind == "word" and not glued and atom.text not in PLACEHOLDERS


def _commonness(atom: Atom, stop: Collection[str]) -> int:
    """A rough guess at how often a sentence holds a word."""
    if atom.text in PLACEHOLDERS:
        return 1_000
    return 200 if atom.text in stop else 30 if len(atom.text) < 4 else 1
