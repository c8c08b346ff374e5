"""The plain form in which values and voice are read: one case, one set of digits, no vowel signs.

Unlike `text.fold` it keeps accents and hyphens, which tell "hablo" from "habló" and a range from a number. It is for
reading alone; what is released is always the original. Linear in the text.
"""

import re
import string
import unicodedata

from guardrails.replacing import one_character, replaced

# One character class instead of "letter or mark": it is several times as fast. Digits belong to words here, so
# that a word with a digit in it is never taken for a word without.
WORD_CHARACTER = r"[\w\u0900-\u0963\u0971-\u097f]"
WORD = re.compile(f"{WORD_CHARACTER}+")

_DROPPED = re.compile(
    "[\u00ad\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u093c\u200b\u200d-\u200f\u061c\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]+"
)
_PARTING = string.punctuation.replace("_", "") + "–—…«»‹›“”„‘‚،؛؟۔।॥॰•·、。，；：！？（）「」『』《》【】"
_LETTERS = dict(zip("يكأإآٱۀة\u200cёँऩऱऴ％٪：．－−＄￥’ʼ‑‐", "یکااااهه еंनरळ%%:.--$¥''--", strict=True))
_DIGITS = [digit for digit in map(chr, range(0x80, 0x20000)) if digit.isdecimal()]
_NUKTA = "\u093c"

_SPACES = "".join(filter(str.isspace, map(chr, range(0x3001))))
_PARTED = dict.fromkeys(map(ord, _PARTING + _SPACES), " ")
_PARTS = one_character(_PARTED.keys() - {ord(" ")})
# Where a rough word ends.
WORD_END = f"(?![^{re.escape(''.join(map(chr, _PARTED)))}])"
_FORMS = {
    ord(character): form
    for character, form in (
        *_LETTERS.items(),
        *((digit, str(unicodedata.decimal(digit))) for digit in _DIGITS),
        *((character, "") for character in map(chr, range(0x10000)) if _DROPPED.match(character)),
    )
}
_CHANGED = one_character(_FORMS)


def rough_words(text: str) -> list[str]:
    """The words of a plain text, found several times as fast as by WORD; a rare sign may cling to one of them."""
    return parted(text).split()


def parted(text: str) -> str:
    """A plain text, of the same length, with a space for each character that parts words."""
    return text.translate(_PARTED) if text.isascii() else replaced(text, _PARTS, _PARTED)


def plain(text: str) -> str:
    """The plain form of a text."""
    if text.isascii():
        return text.lower()
    # Composing is many times as slow where a nukta is, and it is dropped in any case.
    text = unicodedata.normalize("NFC", text.replace(_NUKTA, "")).casefold()
    return replaced(text, _CHANGED, _FORMS)
