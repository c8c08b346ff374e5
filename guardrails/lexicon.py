"""The words of all templates, and where those that a reading has stand in it.

A reading is looked up word by word: itself, the beginnings and ends that templates name, and in languages that
write particles onto words (Arabic, Persian, Spanish) what is left without them. What it has is a set of terms,
each with an integer that has a bit for every position where it begins. It decides nothing.
"""

from collections.abc import Iterable, Iterator, KeysView, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise

from guardrails.clitics import Clitics
from guardrails.language import Language
from guardrails.readings import BESIDE_WORDS, Reading
from guardrails.templates import Atom, Grammar, Phrase, parse_phrases
from guardrails.text import folded_stop_words

# What stands for the owner's name in a reading; without 's it may be either, as in "tarifa de Nadia".
_OWNER_STAND_INS = {"owner": ("<name>",), "owner's": ("<name>", "<name's>")}
_WORDS_REMEMBERED = 20_000


@dataclass(frozen=True, slots=True)
class Group:
    """One of these terms; `by_length` has those of each number of words apart."""

    terms: frozenset[str]
    by_length: tuple[tuple[int, frozenset[str]], ...]


class Lexicon:
    """Built once from the language files, then only read."""

    def __init__(self, languages: Iterable[Language]) -> None:
        self._languages = {language.code: language for language in languages}
        self._clitics = {
            code: Clitics(language.words) for code, language in self._languages.items() if Clitics.used(language.words)
        }
        self._grammars: dict[str, Grammar] = {}
        self._groups: dict[tuple[frozenset[Phrase], frozenset[str], str], Group] = {}
        self._weights: dict[str, int] = {}
        self._wild: set[str] = set()
        self._pairs: dict[str, dict[str, dict[str, tuple[str, ...]]]] = {}
        # The rarest word of a phrase → the next rarest → the phrases: a question has few such pairs.
        self._anchored: dict[str, dict[str, dict[str, tuple[frozenset[str], ...]]]] = {}
        self._related = lru_cache(_WORDS_REMEMBERED)(self._related_terms)

    def grammar(self, code: str) -> Grammar:
        """What templates of the language are parsed with."""
        if code not in self._grammars:
            language = self._languages[code]
            bare = Grammar(language.words.gap, language.words.respellings, {})
            sets = {name: _set(name, words, bare) for name, words in _sets(language).items()}
            self._grammars[code] = Grammar(bare.gap, bare.respellings, sets)
        return self._grammars[code]

    def group(self, phrases: frozenset[Phrase], sets: frozenset[str], code: str) -> Group:
        """The terms of phrases and named sets, which readings are searched for from now on."""
        key = (phrases, sets, code)
        if key not in self._groups:
            self._groups[key] = self._new_group(phrases, sets, code)
        return self._groups[key]

    def _new_group(self, phrases: frozenset[Phrase], sets: frozenset[str], code: str) -> Group:
        by_length: dict[int, set[str]] = {}
        for phrase in phrases:
            by_length.setdefault(len(phrase), set()).update(self._terms(phrase, code))
        for name in sets:
            # A set stands in many templates: its terms are found once.
            if phrases or len(sets) > 1:
                named = self.group(frozenset(), frozenset({name}), code)
                for length, terms in named.by_length:
                    by_length.setdefault(length, set()).update(terms)
            else:
                for phrase in self.grammar(code).sets[name]:
                    by_length.setdefault(len(phrase), set()).update(self._terms(phrase, code))
        lengths = tuple((length, frozenset(terms)) for length, terms in sorted(by_length.items()))
        return Group(frozenset(chain.from_iterable(by_length.values())), lengths)

    def texts(self, texts: Iterable[str], code: str) -> Group:
        """The terms of plain phrases."""
        written = "|".join(texts)
        phrases, sets = parse_phrases(written, self.grammar(code)) if written else (frozenset(), frozenset())
        return self.group(phrases, sets, code)

    def commonness(self, terms: Iterable[str]) -> int:
        """How often a group may be expected in a question; the rarest one of a template is its trigger."""
        return sum(map(self._weights.__getitem__, terms))

    def knows(self, word: str) -> bool:
        """Whether some template has this very word."""
        return word in self._weights

    def find(self, reading: Reading) -> dict[str, int]:
        """The terms that the reading has → the positions where each begins."""
        where = _positions(reading)
        found: dict[str, int] = {}
        for word, mask in where.items():
            for term in self._related(word):
                found[term] = found.get(term, 0) | mask
        for term, words in self._literal_phrases(reading.words):
            _add(found, term, [where[word] for word in words])
        for term, parts in self._anchored_phrases(found.keys()).items():
            _add(found, term, [_any(found, part) for part in parts])
        return found

    def _anchored_phrases(self, terms: KeysView[str]) -> dict[str, tuple[frozenset[str], ...]]:
        phrases: dict[str, tuple[frozenset[str], ...]] = {}
        for anchor in terms & self._anchored.keys():
            beside = self._anchored[anchor]
            for other in beside.keys() & terms:
                phrases |= beside[other]
        return phrases

    def _terms(self, phrase: Phrase, code: str) -> Iterable[str]:
        stop = folded_stop_words(code)
        if len(phrase) == 1:
            return self._atom_terms(phrase[0], code, stop)
        name = " ".join(_name(atom) for atom in phrase)
        if code in self._clitics or not all(map(_is_plain, phrase)):
            name = f"{code}:{name}"
        if name not in self._weights:
            self._weights[name] = min(_commonness(atom, stop) for atom in phrase) // len(phrase) + 1
            self._register(name, phrase, code, stop)
        return (name,)

    def _atom_terms(self, atom: Atom, code: str, stop: frozenset[str]) -> list[str]:
        name = _name(atom)
        names = [name, f"{code}:{name}"] if code in self._clitics else [name]
        if atom.kind != "word":
            self._wild.update(names)
        for each in names:
            if each not in self._weights:
                self._weights[each] = _commonness(atom, stop)
        return names

    def _register(self, name: str, phrase: Phrase, code: str, stop: frozenset[str]) -> None:
        if not name.startswith(f"{code}:"):
            words = tuple(atom.text for atom in phrase)
            self._pairs.setdefault(words[0], {}).setdefault(words[1], {})[name] = words
            return
        parts = tuple(frozenset(self._atom_terms(atom, code, stop)) for atom in phrase)
        rarest, next_rarest, *_ = sorted(parts, key=self.commonness)
        for anchor in rarest:
            beside = self._anchored.setdefault(anchor, {})
            for other in next_rarest:
                beside.setdefault(other, {})[name] = parts

    def _related_terms(self, word: str) -> tuple[str, ...]:
        """The terms that a word of a reading is: itself, its beginnings and ends, its stems."""
        found = [word] if word in self._weights else []
        found += (term for term in _wild_forms(word) if term in self._wild)
        for code, clitics in self._clitics.items():
            for stem in clitics.stems(word):
                found += (f"{code}:{stem}",) if f"{code}:{stem}" in self._weights else ()
                found += (term for form in _wild_forms(stem) if (term := f"{code}:{form}") in self._wild)
        return tuple(dict.fromkeys(found))

    def _literal_phrases(self, words: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Phrases of plain words, all of which are there, though perhaps not in a row."""
        pairs = self._pairs
        known = frozenset(words)
        seen: set[tuple[str, str]] = set()
        for first, second in pairwise(words):
            if first in pairs and second in pairs[first] and (first, second) not in seen:
                seen.add((first, second))
                yield from (each for each in pairs[first][second].items() if known.issuperset(each[1]))


def _any(found: dict[str, int], terms: Iterable[str]) -> int:
    mask = 0
    for term in terms:
        mask |= found.get(term, 0)
    return mask


def _add(found: dict[str, int], term: str, parts: Sequence[int]) -> None:
    """Adds the term where its parts follow each other."""
    together = parts[0]
    for distance, part in enumerate(parts[1:], 1):
        together &= part >> distance
    if together:
        found[term] = found.get(term, 0) | together


def _positions(reading: Reading) -> dict[str, int]:
    where: dict[str, int] = {}
    for word, position in zip(reading.words, reading.positions, strict=True):
        where[word] = where.get(word, 0) | 1 << position
    for position, stand_in in reading.stand_ins:
        where[stand_in] = where.get(stand_in, 0) | 1 << position
    return where


def _wild_forms(word: str) -> Iterator[str]:
    for cut in range(2, len(word) + 1):
        yield f"{word[:cut]}*"
        yield f"*{word[-cut:]}"


def _sets(language: Language) -> dict[str, Iterable[str]]:
    """The named sets of the file and those that every language has."""
    return {
        **language.sets,
        "owner": language.owner.pronouns,
        "owner's": language.owner.possessives,
        "position": chain.from_iterable(language.followup.positions.values()),
    }


def _set(name: str, words: Iterable[str], grammar: Grammar) -> frozenset[Phrase]:
    phrases, _ = parse_phrases("|".join(words), grammar)
    return phrases | {(Atom(stand_in),) for stand_in in _OWNER_STAND_INS.get(name, ())}


def _name(atom: Atom) -> str:
    return {"word": atom.text, "prefix": f"{atom.text}*", "suffix": f"*{atom.text}"}[atom.kind]


def _is_plain(atom: Atom) -> bool:
    """Whether the atom is one of the words that a reading has, neither wild nor a stand-in beside a word."""
    return atom.kind == "word" and atom.text not in BESIDE_WORDS


def _commonness(atom: Atom, stop: frozenset[str]) -> int:
    if atom.text in stop or atom.text.startswith("<name"):
        return 400
    return {1: 200, 2: 60, 3: 8}.get(len(atom.text), 2)
