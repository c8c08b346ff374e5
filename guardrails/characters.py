"""Characters that no text here is kept or shown with, whoever wrote it.

What cannot be stored or told (NUL, lone surrogates, what XML has no place for), what only hides (controls), and what
turns the order of the letters after it: with U+202E before it, a checked 12 is read as 21. What Persian, Arabic and
Hindi write with (U+200C to U+200F) stays.
"""

import re
from typing import Any

TURNING = "\u202a-\u202e\u2066-\u2069"
_UNSPEAKABLE = re.compile(f"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff{TURNING}]")


def speakable(text: str) -> str:
    """Return the text without them."""
    return _UNSPEAKABLE.sub("", text)


def all_speakable(value: Any) -> Any:
    """Return a value as JSON has them, every text in it without them."""
    match value:
        case str():
            return speakable(value)
        case list():
            return [all_speakable(item) for item in value]
        case dict():
            return {key: all_speakable(item) for key, item in value.items()}
        case _:
            return value
