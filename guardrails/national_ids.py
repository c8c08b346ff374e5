"""National ids by their written forms: a form with its punctuation and check digits speaks for itself, bare digits only
where words beside them announce an id.

Those here need no library; a caller may bring more. Ids of firms are no personal data and are left out.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from guardrails.check_digits import (
    is_aadhaar,
    is_chinese_id,
    is_cpf,
    is_iranian_id,
    is_nir,
    is_snils,
    is_spanish_id,
)
from guardrails.text import HAN

# In digits of ASCII: the text is brought to them before.
_LETTER = rf"[^\W{HAN}]"
_BEFORE, _BEHIND = rf"(?<![.,/])(?<!{_LETTER})(?<!{_LETTER}-)", rf"(?!{_LETTER}|[.,-]{_LETTER})"


@dataclass(frozen=True, slots=True)
class NationalId:
    """One country's id. `form` is how it is written, `bare` the same without punctuation where that form is an
    everyday number too; `is_valid` is given letters and digits alone."""

    country: str
    form: re.Pattern[str] | None
    bare: re.Pattern[str] | None
    is_valid: Callable[[str], bool]


def national_id(
    country: str, form: str | None, bare: str | None, is_valid: Callable[[str], bool] | None = None
) -> NationalId:
    """An id by two expressions; without a check the form must be one that nothing else has."""
    return NationalId(
        country,
        re.compile(f"{_BEFORE}(?:{form}){_BEHIND}") if form else None,
        re.compile(bare) if bare else None,
        is_valid or _without_check,
    )


def _without_check(code: str) -> bool:
    return bool(code)


# Dates of birth inside an id make a chance hit rare, so that the Chinese and the French one stand bare.
NATIONAL_IDS = (
    national_id("br", r"\d{3}\.\d{3}\.\d{3}-\d\d", r"\d{11}", is_cpf),
    national_id(
        "cn", r"[1-8]\d{5}(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx]", None, is_chinese_id
    ),
    national_id("es", r"(?:\d{8}|[XYZ]-?\d{7})-?[A-Z]", r"(?:\d{8}|[XYZxyz]\d{7})[A-Za-z]", is_spanish_id),
    national_id("fr", r"[12] ?\d\d ?(?:0[1-9]|1[0-2]|[2-9]\d) ?\d[\dAB] ?\d{3} ?\d{3} ?\d\d", None, is_nir),
    national_id(
        "gb",
        r"(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z](?: ?\d\d){3} ?[A-D]",
        r"[A-Za-z]{2}\d{6}[A-Da-d]",
    ),
    national_id("in", r"[2-9]\d{3}([ -])\d{4}\1\d{4}", r"\d{12}", is_aadhaar),
    national_id("ir", r"\d{3}-\d{6}-\d", r"\d{10}", is_iranian_id),
    national_id("ru", r"\d{3}-\d{3}-\d{3}[ -]\d\d", r"\d{11}", is_snils),
    # No check digit, but impossible groups; those that begin with 9 are the tax numbers of foreigners.
    national_id("us", r"(?!000|666)\d{3}-(?!00)\d\d-(?!0000)\d{4}", r"(?!000|666)\d{9}"),
)
