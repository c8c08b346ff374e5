"""Matching normalisation with the way back to the original, and the words of a text.

Folding makes equal what readers type for the same word: case, accents, full-width and look-alike forms,
Arabic letters for Persian ones, digits of all scripts, vowel signs, nukta, ё, traditional Chinese. It is for
matching alone: what is shown or released is always the original. Linear in the text.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path

from guardrails.language import Language, load
from guardrails.one_of import one_of
from guardrails.replacing import one_character, replaced

HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
# Python's \w leaves out vowel signs, which would cut Hindi words to pieces; whole Indic blocks are taken
# instead, without the dandas that end sentences.
_LETTERS = rf"[^\W_{HAN}]"
WORD = rf"{_LETTERS}+(?:[\u0900-\u0963\u0966-\u096f\u0971-\u0dff]+{_LETTERS}*)*"
_SAID = re.compile(rf"[{HAN}]|{WORD}")
_RUN = re.compile(f"[{HAN}]+|{WORD}")
_HAN_START = re.compile(f"[{HAN}]")
_ONE_WORD = re.compile(WORD)
_PAIR_OR_WORD = re.compile(f"(?=([{HAN}]{{2}}))[{HAN}]|({WORD})")

_ARABIC = "\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc"
# What depends on a neighbour: a zero-width non-joiner parts words in Arabic script alone, й is a letter
# even when typed as и with a breve, and a Hindi nasal before its own class of consonant is an anusvara.
_CONTEXT = re.compile(
    r"[\u200cиИङञणनम](?:"
    rf"(?<=\u200c)(?<![{_ARABIC}]\u200c)|(?<=[иИ])\u0306|(?<=[ङञणनम])\u094d(?=[क-घच-झट-ढत-धप-भ]))"
)
_CONTEXT_FORMS = {"\u200c": "", "и": "й", "И": "й"}
_NASAL = "ं"

_SINGLE_FORMS = {
    **dict.fromkeys("‘’‚‛ʼʻʹ`´＇′", "'"),
    **dict.fromkeys("“”„‟«»「」『』《》〈〉＂″", '"'),
    **dict.fromkeys("‐‑‒–—―−﹣－", "-"),
    **dict.fromkeys("أإآٱ", "ا"),
    **dict.fromkeys("ىيېے", "ی"),
    **dict.fromkeys("كڪ", "ک"),
    **dict.fromkeys("ةۀہھەۂ", "ه"),
    "ؤ": "و",
    "ئ": "ی",
    "ـ": "",
    "\u200c": " ",
    "æ": "ae",
    "œ": "oe",
    "ø": "o",
    "ł": "l",
    "đ": "d",
    "ð": "d",
    "þ": "th",
    "ı": "i",
    "ँ": "ं",
    "\u093c": "",
    "й": "й",
    "Й": "й",
}
_MARKS_DROPPED = re.compile(
    "[\u0300-\u036f\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f]"
)
_HAN_VARIANTS = Path(__file__).parent / "languages" / "han_variants.txt"


class Folded:
    """A folded text; `offsets[i]` is where its character i stands in the original, one more than it is long."""

    __slots__ = ("_offsets", "_original", "text")

    def __init__(self, text: str, original: str) -> None:
        self.text = text
        self._original = original
        self._offsets: Sequence[int] | None = None

    @property
    def offsets(self) -> Sequence[int]:
        # Found when first asked for: most texts match nothing and never need the way back.
        if self._offsets is None:
            self._offsets = _offsets(self._original)
        return self._offsets

    def original(self, start: int, end: int) -> tuple[int, int]:
        """A range as a range of the original, whole characters: one may fold to several."""
        return self.offsets[start], max(self.offsets[end], self.offsets[max(0, end - 1)] + (end > start))


def fold(text: str) -> Folded:
    """The matching form of a text."""
    if text.isascii():
        return Folded(text.translate(_FORMS), text)
    settled = _CONTEXT.sub(_context_form, text) if _may_have_context(text) else text
    return Folded(replaced(settled.lower(), _changing(), _FORMS), text)


def _may_have_context(text: str) -> bool:
    return "\u200c" in text or "\u0306" in text or "\u094d" in text


def _context_form(match: re.Match[str]) -> str:
    return _CONTEXT_FORMS.get(match.group()[0], _NASAL)


def _offsets(text: str) -> Sequence[int]:
    if text.isascii():
        return range(len(text) + 1)
    offsets: list[int] = []
    last = 0
    for match in _CONTEXT.finditer(text):
        offsets += _offsets_between(text, last, match.start())
        offsets += [match.start()] * len(_context_form(match))
        last = match.end()
    return [*offsets, *_offsets_between(text, last, len(text)), len(text)]


def _offsets_between(text: str, start: int, end: int) -> Iterator[int]:
    return (place for place in range(start, end) for _ in _FORMS[ord(text[place])])


class _Forms(dict[int, str]):
    """The folded form of each character, worked out when it is first met."""

    # Room for every character of the ten languages; rarer ones are worked out anew, so that nobody can
    # fill the memory by sending all of Unicode.
    ROOM = 40_000

    def __missing__(self, code: int) -> str:
        form = _form(chr(code))
        if len(self) < self.ROOM:
            self[code] = form
        return form


def _form(character: str) -> str:
    if character in _SINGLE_FORMS:
        return _SINGLE_FORMS[character]
    if _MARKS_DROPPED.match(character) or (unicodedata.category(character) == "Cf"):
        return ""
    if character.isspace():
        return "\n" if character in "\n\r\u2028\u2029" else " "
    digit = unicodedata.decimal(character, None)
    if digit is not None:
        return str(digit)
    whole = unicodedata.normalize("NFKD", character.casefold())
    if whole != character:
        return "".join(_form(part) for part in whole)
    return _han_variants().get(character, character)


@cache
def _han_variants() -> dict[str, str]:
    """Traditional and other forms of Han characters, each with the simplified form it is folded to."""
    pairs: dict[str, str] = {}
    for line in _HAN_VARIANTS.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            traditional, simplified = line.split()
            pairs.update(zip(traditional, simplified, strict=True))
    return pairs


_FORMS = _Forms()
# What the ten languages are written in, and nothing else; characters outside are looked up one by one.
_SCRIPTS = (range(0x0A00), range(0x2000, 0x2070), range(0x3000, 0x3040), range(0x3400, 0xA000), range(0xFF00, 0xFFF0))


@cache
def _changing() -> re.Pattern[str]:
    """Every character, in lower case, that folding may change."""
    unchanged = [code for script in _SCRIPTS for code in script if _form(chr(code)) == chr(code)]
    return one_character(unchanged, other=True)


@dataclass(frozen=True, slots=True)
class Word:
    """A word in its folded form, and where it stands in the original."""

    text: str
    start: int
    end: int


def words(text: str, language: Language | str) -> list[Word]:
    """All words in order. Han characters, written without spaces, give every pair of neighbours."""
    folded = fold(text)
    respell = _respelling(_code(language))
    return [
        Word(respell(folded.text[start:end]), *folded.original(start, end))
        for run in _RUN.finditer(folded.text)
        for start, end in _pieces(run.group(), run.start())
    ]


def says_anything(text: str, start: int = 0) -> bool:
    """Whether a folded text has a word from a place on."""
    return _SAID.search(text, start) is not None


def content_words(text: str, language: Language | str) -> list[str]:
    """The words that carry the subject, in order: three letters or more, two in Chinese, no stop words."""
    return _content_words(_code(language)).of(text)


class _ContentWords:
    """The content words of one language; what stands between two spaces has mostly been met before."""

    # Characters: the words of a large site, each with and without its punctuation, or 10,000 sentences of Chinese,
    # which take most, some 90 bytes a character. Nobody can fill the memory with more.
    ROOM, LONGEST = 400_000, 100

    def __init__(self, code: str) -> None:
        self._respell = _respelling(code)
        self._stop = folded_stop_words(code)
        self._han_stop = _han_stop_words(code)
        self._known: dict[str, list[str]] = {}
        self._held = 0

    def of(self, text: str) -> list[str]:
        pieces, known = text.split(), self._known
        if len(pieces) == 1:  # Chinese, mostly: there is nothing else to read with it
            return [*(known if pieces[0] in known else self._read(pieces))[pieces[0]]]
        try:
            return list(chain.from_iterable(map(known.__getitem__, pieces)))
        except KeyError:
            read = self._read(set(pieces).difference(known))
        return [word for piece in pieces for word in (read[piece] if piece in read else known[piece])]

    def _read(self, pieces: Collection[str]) -> dict[str, list[str]]:
        folded = fold("\n".join(pieces)).text
        of_line = self._of_line
        if not folded.isascii() and _HAN_START.search(folded):
            folded, of_line = self._han_stop.sub(" ", folded), self._of_han_line
        found = {piece: of_line(line) for piece, line in zip(pieces, folded.split("\n"), strict=True)}
        for piece, words in found.items():
            if len(piece) <= min(self.LONGEST, self.ROOM - self._held):
                self._known[piece] = words
                self._held += len(piece)
        return found

    def _of_line(self, folded: str) -> list[str]:
        words = map(self._respell, _ONE_WORD.findall(folded))
        return [word for word in words if len(word) >= 3 and word not in self._stop]

    def _of_han_line(self, folded: str) -> list[str]:
        found: list[str] = []
        for pair, run in _PAIR_OR_WORD.findall(folded):
            if pair:
                found.append(pair)
            elif len(word := self._respell(run)) >= 3 and word not in self._stop:
                found.append(word)
        return found


def _pieces(run: str, start: int) -> list[tuple[int, int]]:
    if len(run) > 2 and _HAN_START.match(run):
        return [(at, at + 2) for at in range(start, start + len(run) - 1)]
    return [(start, start + len(run))]


def _code(language: Language | str) -> str:
    return language if isinstance(language, str) else language.code


_content_words = cache(_ContentWords)


@cache
def folded_stop_words(code: str) -> frozenset[str]:
    return frozenset(run for word in load(code).words.stop for run in _RUN.findall(fold(word).text))


@cache
def _han_stop_words(code: str) -> re.Pattern[str]:
    """The stop words in Han characters as one expression."""
    return re.compile(one_of(filter(_HAN_START.match, folded_stop_words(code))))


@cache
def _respelling(code: str) -> Callable[[str], str]:
    """Folds the ways around letters that a keyboard lacks (`ae` for `ä`) as the letters themselves fold.

    What is left out (`'` in "whats") has no way back.
    """
    given = load(code).words.respellings.items()
    respellings = {spelled: fold(letter).text for letter, spelled in given if spelled}
    if not respellings:
        return str
    # Not after a vowel or q: `ue` is two sounds in "neue", "Steuer" and "Quelle".
    expression = re.compile(f"(?<![aeiouyq])(?:{'|'.join(map(re.escape, respellings))})")
    return lambda word: expression.sub(lambda match: respellings[match.group()], word)
