"""What a full stop may stand for besides the end of a sentence: abbreviation, initial, ordinal, numbering.

Looks at a few words before the stop and one after it. It knows no word but those of the language file.
"""

import re
from collections.abc import Iterable

from guardrails.latch_sections import Sentences, expand
from guardrails.markers import MARKER
from guardrails.sentence_gap import Reading

_BEFORE_WORD = "([{<\"'“”„‟‘’‚«»‹›¿¡*_~（［「『《〈【-–—/"
_ASIDE = "([（"
_OPTION = "-~/+="
_LAST_LATIN = "\u024f"
# A letter may carry vowel signs, as in "कि.मी."
_LETTER = "[^\\W\\d_][\u0900-\u0903\u093a-\u094f]*"
_LETTERS_WITH_DOTS = re.compile(rf"(?:(?:{_LETTER}){{1,2}}\.[-‐‑]?)+(?:{_LETTER}){{1,2}}")
_ROMAN = re.compile(r"[IVXLC]+")
_NUMBER = re.compile(r"\d+")
# A comma parts it from the word behind it, as in "p. 12, t. II".
_ANY_NUMBER = re.compile(r"\d[\d.,\u00a0\u202f٫٬]*(?<![,٬])")
_LABEL = rf"{_LETTER}|{_ROMAN.pattern}"
_NUMBERING = re.compile(rf"\d+(?:\.\d+){{0,5}}|{_LABEL}")
# An item in running text, as in "two ways: 1. By hand, 2. By sea". Chinese needs no space there.
_INNER_NUMBERING = re.compile(rf"(?:[:;,،؛]\s|[：；，、]\s?)\d{{1,2}}\Z|(?:[:;؛]\s|[：；]\s?)(?:{_LABEL})\Z")
_BEFORE_NUMBERING = frozenset(":;,،؛：；，、")
_NOTHING_YET = re.compile(rf"(?:[\s*_~#>(\-–—•+]|{MARKER.pattern})*\Z")
# Long enough for three words of an abbreviation written with spaces.
_LOOK_BACK = 32
_NUMBERING_REACH = 8
# Before the end of a word that is written together with others, as "*str." of "Hauptstr.".
_COMPOUND = "*"
# So few words after a preposition make no sentence, as in "В 1941 г.": an entry of both lists is doubtful there.
_FEW_WORDS = 4


def nothing_yet(text: str, start: int, stop: int) -> bool:
    """Whether a sentence that begins at `start` holds nothing but marks before `stop`."""
    return stop - start <= _LOOK_BACK and _NOTHING_YET.match(text, start, stop) is not None


class Abbreviations:
    """Those of one language."""

    def __init__(self, data: Sentences) -> None:
        self._always = _keys(data.abbreviations)
        self._doubtful = _keys(data.doubtful_abbreviations)
        self._final = _keys(data.final_abbreviations)
        self._before_number = _keys(data.number_abbreviations)
        keys = self._always | self._doubtful | self._final | self._before_number
        self._compounds = tuple(key for key in keys if key.startswith(_COMPOUND))
        # Most full stops stand after a word that ends no abbreviation.
        self._last_words = frozenset(key.rpartition(" ")[2] for key in keys)
        self._starters = data.starters
        self._ordinal_dot = data.ordinal_dot

    def read(self, text: str, start: int, stop: int, following: str) -> Reading:
        """How to take the full stop at `stop`; `following` is the next visible character."""
        before = text[max(start, stop - _LOOK_BACK) : stop]
        tokens = before.split()
        if not tokens or before[-1].isspace():
            return "ends"
        word = tokens[-1].lstrip(_BEFORE_WORD)
        if _NUMBERING.fullmatch(word) and nothing_yet(text, start, stop - len(word)):
            return "joins"
        end = before[-_NUMBERING_REACH:]
        if not _BEFORE_NUMBERING.isdisjoint(end) and _INNER_NUMBERING.search(end):
            return "joins"
        if _NUMBER.fullmatch(word):
            return self._read_number(word, tokens)
        dated = len(tokens) <= _FEW_WORDS and stop - start <= _LOOK_BACK and tokens[0] in self._starters
        return self._read_listed(tokens, following, dated=dated) or self._read_letters(tokens[-1], word, following)

    def _read_listed(self, tokens: list[str], following: str, *, dated: bool) -> Reading | None:
        endings = self._endings(tokens[-3:])
        if not endings:
            return None
        doubtful = not self._doubtful.isdisjoint(endings)
        before_number = not self._before_number.isdisjoint(endings)
        if before_number and following.isdigit():
            return "joins"
        if not self._final.isdisjoint(endings):
            if following in _ASIDE:
                return "joins"
            return "doubtful" if doubtful and dated else "ends"
        if not self._always.isdisjoint(endings):
            return "joins"
        if doubtful:
            return "doubtful"
        return "numbered" if before_number and len(tokens[-1]) > 1 and following.isupper() else None

    def _endings(self, tokens: list[str]) -> list[str]:
        """The last one, two and three words as abbreviations are listed; a hyphen or apostrophe begins a word too."""
        bare = [token.lstrip(_BEFORE_WORD) for token in tokens]
        word = bare[-1]
        last = [_fold(word), *(_fold(word.rpartition(mark)[2]) for mark in "-'’" if mark in word)]
        last += (key for key in self._compounds if last[0].endswith(key.removeprefix(_COMPOUND)))
        if self._last_words.isdisjoint(last):
            return []
        plain = ["#" if _ANY_NUMBER.fullmatch(token) else _fold(token) for token in bare]
        return last + [" ".join(plain[-count:]) for count in range(2, len(plain) + 1)]

    def _read_letters(self, token: str, word: str, following: str) -> Reading:
        # "-L" is an option, and a Latin initial has no name in other letters after it.
        if token[0] in _OPTION or (word.isascii() and following.isalpha() and following > _LAST_LATIN):
            return "ends"
        if self._ordinal_dot and _ROMAN.fullmatch(word):
            return "doubtful"
        if len(word) == 1 and word.isalpha():
            return "initial" if word.isupper() else "joins"
        if _LETTERS_WITH_DOTS.fullmatch(word):
            return "doubtful" if word[-1].isupper() else "joins"
        return "ends"

    def _read_number(self, word: str, tokens: list[str]) -> Reading:
        if not self._ordinal_dot or len(word) > 3:
            return "ends"
        named = [token.removesuffix(".") for token in tokens[-2:-1]]
        counted = named and not self._before_number.isdisjoint(self._endings(named))
        return "ends" if counted else "doubtful"


def _keys(entries: Iterable[str]) -> frozenset[str]:
    return frozenset(" ".join(map(_fold, entry.split())).removesuffix(".") for entry in expand(entries))


def _fold(word: str) -> str:
    """Without case; but capitals alone stay, so that APT is not an apartment, nor "Я." the word "я"."""
    return word if word.isupper() else word.casefold()
