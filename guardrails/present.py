"""Whether a text says of something that it holds today, by words that mean nothing else in its language.

"Now" and "still" tell a story too ("he now saw"), and are not among them.
"""

import re
from functools import cache

from guardrails.language import load
from guardrails.latch_sections import expand
from guardrails.one_of import one_of
from guardrails.plain import parted, plain
from guardrails.text import HAN

_HAN = re.compile(f"[{HAN}]")


def says_today(plain_text: str, language: str) -> str | None:
    """Return the words of a plain text that say so, or None."""
    found = _words(language).search(f" {parted(plain_text)} ")
    return found.group().strip() if found else None


@cache
def _words(language: str) -> re.Pattern[str]:
    """Whole words, but for Chinese, which writes them together."""
    phrases = [" ".join(parted(plain(phrase)).split()) for phrase in expand(load(language).present.words)]
    return re.compile(one_of(phrase if _HAN.search(phrase) else f" {phrase} " for phrase in phrases))
