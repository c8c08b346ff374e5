"""The digits that a language writes."""

from functools import cache

from babel import Locale

_ZEROS = {"arab": "٠", "arabext": "۰", "deva": "०"}  # by the names that CLDR gives systems of digits


@cache
def digits(language: str) -> dict[int, str]:
    """Return what `str.translate` takes: Babel knows which digits a language writes, and writes Latin ones."""
    zero = _ZEROS.get(Locale.parse(language, sep="-").default_numbering_system, "0")
    return {ord("0") + digit: chr(ord(zero) + digit) for digit in range(10)}
