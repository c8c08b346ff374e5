"""Replaces characters by their forms at the cost of the different ones that change, not of all characters."""

import re
from collections.abc import Collection, Mapping
from itertools import groupby

# A text in which more different characters change pays once for every character, so that the work stays linear.
_MOST_REPLACED = 64
_BEYOND_BMP = 0x1_0000


def one_character(codes: Collection[int], *, other: bool = False) -> re.Pattern[str]:
    """An expression for one character of these codes, or for one of any `other`.

    Of the characters beyond the Basic Multilingual Plane it finds all, if one is meant: an expression tries every
    one of them at every character, which is a hundred times as slow.
    """
    near = sorted(code for code in codes if code < _BEYOND_BMP)
    runs = [list(run) for _, run in groupby(enumerate(near), key=lambda pair: pair[1] - pair[0])]
    ranges = "".join(f"\\U{run[0][1]:08x}-\\U{run[-1][1]:08x}" for run in runs)
    far = f"\\U{_BEYOND_BMP:08x}-\\U0010ffff" if not other and any(code >= _BEYOND_BMP for code in codes) else ""
    return re.compile(f"[{'^' * other}{ranges}{far}]")


def replaced(text: str, changing: re.Pattern[str], forms: Mapping[int, str]) -> str:
    """As `text.translate(forms)`; `changing` finds every character that may change, and no form changes again."""
    place = changing.search(text)
    for _ in range(_MOST_REPLACED):
        if place is None:
            return text
        character = place.group()
        try:
            form = forms[ord(character)]
        except KeyError:
            form = character
        if form == character:
            place = changing.search(text, place.end())
        else:
            text = text.replace(character, form)
            place = changing.search(text, place.start())
    return text.translate(forms)
