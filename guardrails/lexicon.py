"""The words of all templates, and where each group of them stands in a reading.

Every group of phrases of one length has a slot; a reading fills slots with integers that have a bit for each
position where a phrase of the group begins. Words written together with particles (Arabic, Persian, Spanish)
are found through the clitics that the language file names. It decides nothing.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise

from guardrails.language import Language
from guardrails.readings import BESIDE_WORDS, Reading
from guardrails.templates import Atom, Grammar, Phrase, parse_phrases
from guardrails.text import fold, folded_stop_words

# (slot, number of words its phrases have)
Slots = tuple[tuple[int, int], ...]
# What stands for the owner's name in a reading; without 's it may be either, as in "tarifa de Nadia".
_OWNER_STAND_INS = {"owner": ("<name>",), "owner's": ("<name>", "<name's>")}
_STEM_MINIMUM = 2
_WORDS_REMEMBERED = 20_000


class Lexicon:
    """Built once from the language files, then only read."""

    def __init__(self, languages: Iterable[Language]) -> None:
        self._languages = {language.code: language for language in languages}
        self._interned: dict[object, int] = {}
        self._weights: list[int] = []
        self._grammars: dict[str, Grammar] = {}
        self._words: dict[str, list[int]] = {}
        self._prefixes: dict[str, list[int]] = {}
        self._suffixes: dict[str, list[int]] = {}
        self._bound = {code: _Clitics(language) for code, language in self._languages.items() if _binds(language)}
        self._pairs: dict[str, dict[str, list[tuple[int, Phrase]]]] = {}
        self._anchored: dict[int, list[tuple[int, tuple[int, ...]]]] = {}
        self.slots_of = lru_cache(_WORDS_REMEMBERED)(self._slots_of)

    def grammar(self, code: str) -> Grammar:
        """What templates of the language are parsed with."""
        if code not in self._grammars:
            language = self._languages[code]
            bare = Grammar(language.words.gap, language.words.respellings, {})
            sets = {name: _set(name, words, bare) for name, words in _sets(language).items()}
            self._grammars[code] = Grammar(bare.gap, bare.respellings, sets)
        return self._grammars[code]

    def slots(self, phrases: Iterable[Phrase], sets: Iterable[str], code: str) -> Slots:
        """The slots of a group, made when they are first asked for."""
        by_length: dict[int, set[Phrase]] = {}
        for phrase in phrases:
            by_length.setdefault(len(phrase), set()).add(phrase)
        own = [(self._slot(code, frozenset(group)), length) for length, group in sorted(by_length.items())]
        named = [slot for name in sorted(sets) for slot in self.slots(self.grammar(code).sets[name], (), code)]
        return tuple(dict.fromkeys(own + named))

    def knows(self, word: str) -> bool:
        """Whether some template has this very word."""
        return word in self._words

    def texts(self, texts: Iterable[str], code: str) -> Slots:
        """The slots of plain phrases."""
        phrases, sets = parse_phrases("|".join(texts), self.grammar(code)) if texts else (frozenset(), frozenset())
        return self.slots(phrases, sets, code)

    def commonness(self, slots: Iterable[int]) -> int:
        """How often a group may be expected in a question; the rarest one of a template is its trigger."""
        return sum(self._weights[slot] for slot in slots)

    def _slot(self, code: str, group: frozenset[Phrase]) -> int:
        key = (code, group)
        if key not in self._interned:
            self._interned[key] = slot = len(self._weights)
            stop = folded_stop_words(code)
            self._weights.append(sum(_commonness(phrase, stop) for phrase in group))
            for phrase in group:
                self._register(code, phrase, slot)
        return self._interned[key]

    def _register(self, code: str, phrase: Phrase, slot: int) -> None:
        if len(phrase) == 1:
            self._register_atom(code, phrase[0], slot)
        elif code not in self._bound and all(map(_is_plain, phrase)):
            pairs = self._pairs.setdefault(phrase[0].text, {})
            pairs.setdefault(phrase[1].text, []).append((slot, phrase))
        else:
            parts = tuple(self._slot(code, frozenset({(atom,)})) for atom in phrase)
            anchor = min(parts, key=self._weights.__getitem__)
            self._anchored.setdefault(anchor, []).append((slot, parts))

    def _register_atom(self, code: str, atom: Atom, slot: int) -> None:
        tables = {"word": self._words, "prefix": self._prefixes, "suffix": self._suffixes}
        tables[atom.kind].setdefault(atom.text, []).append(slot)
        if code in self._bound and atom.kind != "suffix":
            self._bound[code].add(atom, slot)

    def _slots_of(self, word: str) -> tuple[int, ...]:
        found = list(self._words.get(word, ()))
        length = len(word)
        for cut in range(2, length + 1):
            found += self._prefixes.get(word[:cut], ())
            found += self._suffixes.get(word[length - cut :], ())
        for clitics in self._bound.values():
            found += clitics.slots_of(word)
        return tuple(dict.fromkeys(found))

    def find(self, reading: Reading) -> dict[int, int]:
        """Slot → the positions where a phrase of its group begins."""
        where = _positions(reading)
        masks: dict[int, int] = {}
        for word, mask in where.items():
            for slot in self.slots_of(word):
                masks[slot] = masks.get(slot, 0) | mask
        for slot, phrase in self._literal_phrases(reading.words):
            _add(masks, slot, [where.get(atom.text, 0) for atom in phrase])
        for anchor in list(masks):
            for slot, parts in self._anchored.get(anchor, ()):
                _add(masks, slot, [masks.get(part, 0) for part in parts])
        return masks

    def _literal_phrases(self, words: Sequence[str]) -> Iterator[tuple[int, Phrase]]:
        pairs = self._pairs
        seen: set[tuple[str, str]] = set()
        for first, second in pairwise(words):
            if first in pairs and second in pairs[first] and (first, second) not in seen:
                seen.add((first, second))
                yield from pairs[first][second]


class _Clitics:
    """Finds the words of one language inside what is written together with them."""

    def __init__(self, language: Language) -> None:
        words = language.words
        self._proclitics = tuple(fold(text).text for text in words.proclitics)
        self._enclitics = tuple(fold(text).text for text in words.enclitics)
        self._endings = {fold(bound).text: fold(free).text for bound, free in words.bound_endings.items()}
        self._words: dict[str, list[int]] = {}
        self._prefixes: dict[str, list[int]] = {}

    def add(self, atom: Atom, slot: int) -> None:
        table = self._words if atom.kind == "word" else self._prefixes
        table.setdefault(atom.text, []).append(slot)

    def slots_of(self, word: str) -> list[int]:
        found: list[int] = []
        for stem in self._stems(word):
            found += self._words.get(stem, ())
            for cut in range(2, len(stem) + 1) if self._prefixes else ():
                found += self._prefixes.get(stem[:cut], ())
        return found

    def _stems(self, word: str) -> Iterator[str]:
        fronts = [word, *(word[len(p) :] for p in self._proclitics if word.startswith(p))]
        for front in fronts:
            if front is not word and len(front) >= _STEM_MINIMUM:
                yield front
            for enclitic in self._enclitics:
                stem = front[: -len(enclitic)]
                if len(stem) >= _STEM_MINIMUM and front.endswith(enclitic):
                    yield stem
                    if stem[-1] in self._endings:
                        yield stem[:-1] + self._endings[stem[-1]]


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


def _binds(language: Language) -> bool:
    return bool(language.words.proclitics or language.words.enclitics)


def _add(masks: dict[int, int], slot: int, parts: Sequence[int]) -> None:
    """Adds to the slot where the parts follow each other."""
    together = parts[0]
    for distance, part in enumerate(parts[1:], 1):
        together &= part >> distance
    if together:
        masks[slot] = masks.get(slot, 0) | together


def _positions(reading: Reading) -> dict[str, int]:
    where: dict[str, int] = {}
    for word, position in zip(reading.words, reading.positions, strict=True):
        where[word] = where.get(word, 0) | 1 << position
    for position, stand_in in reading.stand_ins:
        where[stand_in] = where.get(stand_in, 0) | 1 << position
    return where


def bits(positions: Iterable[int]) -> int:
    """An integer with these bits set."""
    mask = 0
    for position in positions:
        mask |= 1 << position
    return mask


def _is_plain(atom: Atom) -> bool:
    """Whether the atom is one of the words that a reading has, neither wild nor a stand-in beside a word."""
    return atom.kind == "word" and atom.text not in BESIDE_WORDS


def _commonness(phrase: Phrase, stop: frozenset[str]) -> int:
    return min(_word_commonness(atom, stop) for atom in phrase) // len(phrase) + 1


def _word_commonness(atom: Atom, stop: frozenset[str]) -> int:
    if atom.text in stop or atom.text.startswith("<name"):
        return 400
    return {1: 200, 2: 60, 3: 8}.get(len(atom.text), 2)
