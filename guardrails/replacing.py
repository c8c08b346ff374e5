"""Replaces characters by their forms at the cost of the different ones that change, not of all characters."""

import re
from collections.abc import Mapping

# A text in which more different characters change pays once for every character, so that the work stays linear.
_MOST_REPLACED = 64


def replaced(text: str, changing: re.Pattern[str], forms: Mapping[int, str]) -> str:
    """As `text.translate(forms)`; `changing` finds every character that may change, and no form changes again."""
    place = changing.search(text)
    for _ in range(_MOST_REPLACED):
        if place is None:
            return text
        character = place.group()
        form = forms[ord(character)]
        if form == character:
            place = changing.search(text, place.end())
        else:
            text = text.replace(character, form)
            place = changing.search(text, place.start())
    return text.translate(forms)
