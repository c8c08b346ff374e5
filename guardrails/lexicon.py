"""The words of all templates, and where those that a reading has stand in it.

A reading is looked up word by word: itself, the beginnings and ends that templates name, and in languages that
write particles onto words (Arabic, Persian, Spanish) what is left without them. What it has is a set of terms,
each with an integer that has a bit for every position where it begins. Groups of phrases are compiled when they
are first needed: a question needs few of the thousands that we know. It decides nothing.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain, pairwise
from typing import Union

from guardrails.clitics import Clitics
from guardrails.language import Language
from guardrails.readings import BESIDE_WORDS, Reading
from guardrails.templates import PLACEHOLDERS, Atom, Phrase, TemplateError, phrases, spellings
from guardrails.text import HAN, fold, folded_stop_words

# What stands for the owner's name in a reading; without 's it may be either, as in "tarifa de Nadia".
_OWNER_STAND_INS = {"owner": ("<name>",), "owner's": ("<name>", "<name's>")}
_WORDS_REMEMBERED = 20_000
_COMMONEST = 400
_SET_NAME = re.compile("<[^<>]+>")
_HAN = re.compile(f"[{HAN}]")
# What may stand between the words of templates; `*` belongs to them.
_PUNCTUATION = str.maketrans(dict.fromkeys("{}[]|…^$&<>/'-._\n", " "))

# A part of a phrase: the terms of one word, or a named set.
Part = Union[frozenset[str], "Group"]


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """One of these phrases. It can stand in a reading only where one of its `anchors` does.

    An anchor in `lengths` is itself a phrase of so many words; others lead to the phrases that hold them.
    """

    anchors: frozenset[str]
    lengths: Mapping[str, int]
    longer: Mapping[str, tuple[tuple[Part, ...], ...]]
    sets: tuple["Group", ...]


class Lexicon:
    """Learns the words of templates first, and is only read afterwards; threads may share it."""

    def __init__(self, languages: Iterable[Language]) -> None:
        self._languages = {language.code: language for language in languages}
        self._clitics = {
            code: Clitics(language.words) for code, language in self._languages.items() if Clitics.used(language.words)
        }
        self._words = set(PLACEHOLDERS)
        self._stop = {code: folded_stop_words(code) for code in self._languages}
        self._sets = {code: dict(_sets(language)) for code, language in self._languages.items()}
        for code, sets in self._sets.items():
            self.learn(sets.values(), code)
        self._groups: dict[tuple[str, str], Group] = {}
        self._weights: dict[tuple[str, str], int] = {}
        self._related = lru_cache(_WORDS_REMEMBERED)(self._related_terms)

    def learn(self, texts: Iterable[str], code: str) -> None:
        """The words of these texts may be asked for in groups from now on; raises TemplateError."""
        joined = "\n".join(texts)
        if unknown := set(_SET_NAME.findall(joined)) - PLACEHOLDERS - {f"<{name}>" for name in self._sets[code]}:
            raise TemplateError(f"{code}: there is no set {', '.join(sorted(unknown))}")
        for spelling in spellings(joined, self._languages[code].words.respellings):
            parted = _HAN.sub(r" \g<0> ", fold(spelling.translate(_PUNCTUATION)).text)
            self._words.update(parted.split())

    def gap(self, code: str) -> int:
        """How many words `…` lets pass in templates of the language."""
        return self._languages[code].words.gap

    def group(self, text: str, code: str) -> Group:
        """The phrases of `a|b c|<set>`, in the words of a language; raises TemplateError."""
        key = (text, code)
        if key not in self._groups:
            self._groups[key] = self._new_group(phrases(text, self._languages[code].words.respellings), code)
        return self._groups[key]

    def texts(self, texts: Iterable[str], code: str) -> Group:
        """A group of plain phrases, which are learnt as well."""
        texts = tuple(texts)
        self.learn(texts, code)
        return self.group("|".join(texts), code) if texts else Group(frozenset(), {}, {}, ())

    def set_phrases(self, name: str, code: str) -> Iterable[Phrase]:
        """The phrases of a named set."""
        return phrases(self._sets[code][name], self._languages[code].words.respellings)

    def commonness(self, text: str, code: str) -> int:
        """How often a choice may be expected in a question, roughly; the rarest one of a template is its trigger."""
        if (text, code) not in self._weights:
            self._weights[text, code] = sum(self._choice_commonness(choice, code) for choice in text.split("|"))
        return self._weights[text, code]

    def _choice_commonness(self, choice: str, code: str) -> int:
        longest = max(choice.split(), key=len, default="<")
        if longest[0] == "<" and (members := self._sets[code].get(longest[1:-1])):
            return self.commonness(members, code)
        return _commonness(longest, longest in self._stop[code])

    @property
    def words(self) -> Set[str]:
        """The words that templates have."""
        return self._words

    def find(self, reading: Reading) -> dict[str, int]:
        """The terms that the reading has → the positions where each begins."""
        found: dict[str, int] = {}
        for word, mask in _positions(reading).items():
            for term in self._related(word):
                found[term] = found.get(term, 0) | mask
        known = self._words
        for (word, position), (following, after) in pairwise(zip(reading.words, reading.positions, strict=True)):
            if after == position + 1 and word in known and following in known:
                pair = f"{word} {following}"
                found[pair] = found.get(pair, 0) | 1 << position
        return found

    def _new_group(self, members: Iterable[Phrase], code: str) -> Group:
        lengths: dict[str, int] = {}
        longer: dict[str, list[tuple[Part, ...]]] = {}
        sets: list[Group] = []
        for phrase in members:
            if len(phrase) == 1 and phrase[0].kind == "set":
                sets.append(self._set(phrase[0].text, code))
            elif len(phrase) == 1:
                lengths |= dict.fromkeys(self._terms(phrase[0], code), 1)
            elif len(phrase) == 2 and self._are_plain(phrase, code):
                lengths[f"{phrase[0].text} {phrase[1].text}"] = 2
            else:
                parts = tuple(map(partial(self._part, code=code), phrase))
                for anchor in self._anchors(phrase, parts, code):
                    longer.setdefault(anchor, []).append(parts)
        return Group(
            frozenset(chain(lengths, longer, *(each.anchors for each in sets))),
            lengths,
            {anchor: tuple(found) for anchor, found in longer.items()},
            tuple(sets),
        )

    def _part(self, atom: Atom, code: str) -> Part:
        return self._set(atom.text, code) if atom.kind == "set" else frozenset(self._terms(atom, code))

    def _anchors(self, phrase: Phrase, parts: tuple[Part, ...], code: str) -> Iterable[str]:
        """The rarest that a reading with the phrase must have: two neighbouring words, or the terms of a part."""
        weights = [self._weight(atom, code) for atom in phrase]
        if self._are_plain(phrase, code):
            pairs = [first * second for first, second in pairwise(weights)]
            at = pairs.index(min(pairs))
            return (f"{phrase[at].text} {phrase[at + 1].text}",)
        rarest = parts[weights.index(min(weights))]
        return rarest.anchors if isinstance(rarest, Group) else rarest

    def _are_plain(self, phrase: Phrase, code: str) -> bool:
        """Whether the phrase is one of words that stand in readings as they are."""
        return code not in self._clitics and all(
            atom.kind == "word" and atom.text not in BESIDE_WORDS for atom in phrase
        )

    def _set(self, name: str, code: str) -> Group:
        if name not in self._sets[code]:
            raise TemplateError(f"there is no set <{name}>")
        return self.group(self._sets[code][name], code)

    def _terms(self, atom: Atom, code: str) -> tuple[str, ...]:
        name = {"prefix": f"{atom.text}*", "suffix": f"*{atom.text}"}.get(atom.kind, atom.text)
        return (name, f"{code}:{name}") if code in self._clitics else (name,)

    def _weight(self, atom: Atom, code: str) -> int:
        if atom.kind == "set":
            return _COMMONEST
        return _commonness(atom.text, atom.text in self._stop[code])

    def _related_terms(self, word: str) -> tuple[str, ...]:
        """The terms that a word of a reading is: itself, its beginnings and ends, its stems."""
        found = [word] if word in self._words else []
        found += filter(self._words.__contains__, _wild_forms(word))
        for code, clitics in self._clitics.items():
            for stem in clitics.stems(word):
                found += (f"{code}:{stem}",) if stem in self._words else ()
                found += (f"{code}:{form}" for form in _wild_forms(stem) if form in self._words)
        return tuple(dict.fromkeys(found))


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


def _sets(language: Language) -> Iterator[tuple[str, str]]:
    """The named sets of the file and those that every language has, as choices."""
    for name, words in language.sets.items():
        if f"<{name}>" in PLACEHOLDERS:
            raise TemplateError(f"{language.code}: a set can't be called {name!r}, which stands for something else")
        yield name, "|".join(words)
    yield "owner", "|".join((*language.owner.pronouns, *_OWNER_STAND_INS["owner"]))
    yield "owner's", "|".join((*language.owner.possessives, *_OWNER_STAND_INS["owner's"]))
    yield "position", "|".join(chain.from_iterable(language.followup.positions.values()))


def _commonness(word: str, stop: bool) -> int:
    if stop or word.startswith("<"):
        return _COMMONEST
    return {1: 200, 2: 60, 3: 8}.get(len(word), 2)
