"""The owner's name and aliases, found in a question in whatever form a language gives them.

Reading the name, with the form of address around it, as a stand-in for a pronoun lets patterns be written once. It
never removes a reading: the question as it stands is always tried too, so that an owner called Price hides nothing.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

from guardrails.language import available, load
from guardrails.readings import OWNER_SIGN, OWNERS_SIGN, REMEMBERED, Reading, read_folded
from guardrails.text import HAN, WORD, fold

_WORDS = re.compile(f"[{HAN}]+|{WORD}")
_HAN_NAME = re.compile(f"[{HAN}]")
_CYRILLIC = re.compile("[а-я]")
_ARABIC = re.compile("[\u0600-\u06ff]")
_PART_MINIMUM = 3
_LATIN_NAME = re.compile("[a-z]")
# Python's \b sees no end of a word after an Indic vowel sign, and none between a name and the Chinese glued to it.
_LETTER = rf"(?:[^\W{HAN}]|[\u0900-\u0963\u0966-\u096f\u0971-\u0dff])"
_START, _END = f"(?<!{_LETTER})", f"(?!{_LETTER})"
# Particles of every other script are glued to a Latin name: "وLivia", "Liviaने".
_ENDING = rf"[^\W{HAN}]{{0,3}}"
_LATIN = "[0-9_a-z\u00df-\u024f]"


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose site it is, under all the names that readers may use."""

    name: str
    aliases: tuple[str, ...] = ()


@lru_cache(REMEMBERED)
def with_stand_in(reading: Reading, owner: Owner) -> Reading | None:
    """The reading with the owner's name as `<name>` or `<name's>`; None where it isn't named."""
    text, count = _expression(owner).subn(_sign, reading.text)
    return read_folded(text, reading.folded) if count else None


def name_test(owner: Owner) -> Callable[[str], bool]:
    """What tells whether a folded word is a name of the owner's; made once for many words."""
    is_name = _expression(owner).fullmatch
    return lambda word: is_name(word) is not None


def without_name(text: str, owner: Owner) -> str:
    """The text without the owner's name: what the question is about beside the owner."""
    folded = fold(text)
    kept, end = [], 0
    for name in _expression(owner).finditer(folded.text):
        start, after = folded.original(*name.span())
        kept.append(text[end:start])
        end = after
    return " ".join((*kept, text[end:])) if kept else text


def _sign(name: re.Match[str]) -> str:
    return (OWNERS_SIGN if name["owns"] else OWNER_SIGN).ljust(len(name.group()))


@lru_cache(64)
def _expression(owner: Owner) -> re.Pattern[str]:
    forms: dict[str, None] = {}
    for name in (owner.name, *owner.aliases):
        parts = _WORDS.findall(fold(name).text)
        if parts:
            forms[r"[\W_]{1,3}".join(map(_inflected, parts))] = None
    # Of the name, each part counts alone; of an alias such as "Field Systems" only the whole.
    parts = _WORDS.findall(fold(owner.name).text)
    forms |= dict.fromkeys(_inflected(part) for part in parts if len(part) >= _PART_MINIMUM)
    ordered = sorted(forms, key=len, reverse=True)
    return re.compile(rf"{_titles()}(?:{'|'.join(ordered) or '(?!)'}){_titles_after()}(?P<owns>'s\b)?")


@cache
def _titles() -> str:
    """Any number of forms of address before the name, of all languages: "Frau Dr. ", "la señora "."""
    titles = "|".join(_longest_first(title for code in available() for title in load(code).owner.titles))
    return rf"(?:(?<![\w'])(?:{titles})\.?\s+)*+"


@cache
def _titles_after() -> str:
    """One form of address behind the name, as Chinese and Hindi have it, glued to it or not."""
    titles = "|".join(_longest_first(title for code in available() for title in load(code).owner.titles_after))
    return rf"(?:\s?(?:{titles}){_END})?"


def _longest_first(titles: Iterable[str]) -> list[str]:
    return sorted({re.escape(fold(title).text) for title in titles}, key=len, reverse=True)


def _inflected(part: str) -> str:
    """The name with the endings and particles that its script may write onto it."""
    exact = re.escape(part)
    if _HAN_NAME.match(part):
        return exact
    if _CYRILLIC.match(part) and len(part) > _PART_MINIMUM:
        return rf"{_START}{re.escape(part[:-1])}{_ENDING}{_END}"
    if _ARABIC.match(part):
        return rf"{_START}(?:ال|[وبلفک])?{exact}{_ENDING}{_END}"
    if _LATIN_NAME.match(part):
        return rf"(?<!{_LATIN}){exact}s?(?!{_LATIN})"
    return rf"{_START}{exact}s?{_END}"
