"""Finds personal data in a text: national ids, cards, bank accounts, phones and e-mails, in digits of all scripts.

Check digits, written forms and the words beside a number decide together; bare digits that check by chance are left
alone. Names and postal addresses are not looked for. Validators can be passed in for what rules of form don't know.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from guardrails.announced import Announced, Announcements
from guardrails.check_digits import is_card, is_iban, may_be_card
from guardrails.national_ids import NATIONAL_IDS, NationalId
from guardrails.replacing import one_character, replaced
from guardrails.text import HAN

Kind = Literal["national_id", "card", "iban", "phone", "email"]
KINDS: tuple[Kind, ...] = ("national_id", "card", "iban", "phone", "email")

_LEAST_DIGITS = 7
_LETTER = rf"[^\W{HAN}]"  # Han stands beside numbers and addresses without a space
# What ends in digits is a package (node@20.11), and @2x an image for sharp screens.
_EMAIL = re.compile(
    rf"(?<![+.-])(?<!{_LETTER}){_LETTER}(?:{_LETTER}|[+.'’-]){{0,63}}@(?!\d+x\.)"
    rf"(?:(?:{_LETTER}|-){{1,63}}\.){{1,8}}(?:xn--[\w-]{{2,59}}|(?:(?!\d){_LETTER}){{2,63}})"
)
# In groups of four, or none: no UUID is.
_IBAN = re.compile(
    rf"(?<!{_LETTER})[A-Za-z]{{2}}\d{{2}}(?P<gap>[ -]?)[A-Za-z0-9]{{4}}(?:(?P=gap)[A-Za-z0-9]{{4}}){{1,6}}"
    rf"(?:(?P=gap)[A-Za-z0-9]{{1,4}})?(?!{_LETTER})"
)
# A hyphen after a letter or digit makes it a part of something longer: INV-0301234567, a UUID.
_DIGITS = re.compile(rf"(?<![.,/])(?<!{_LETTER})(?<!{_LETTER}-)\+?\(?\d(?:[ ().\-/]{{0,3}}\d){{6,24}}(?!-?{_LETTER})")
# One look for where any of the forms may begin, instead of one for each.
_ID_START = re.compile(r"(?<![0-9A-Za-z])(?=[A-ZÑ&]{0,5}[ -]?\d[\dA-Z.\- ]{4})[0-9A-ZÑ&]")
_ID_WITH_LETTERS = re.compile(rf"(?<!{_LETTER})(?=[A-Za-z]*\d)(?=[0-9]*[A-Za-z])[A-Za-z0-9]{{8,18}}(?!{_LETTER})")
_DIGITS_ALONE = re.compile(r"[\d ]+")
_CARD_GROUPS = re.compile(r"\d{4}([ .-])\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|\d{4}([ .-])\d{6}\2\d{4,5}")
_PHONE_FORMS = re.compile(
    r"(?:\+|00(?!0))\d[\d ().\-/]{6,20}"
    r"|(?=(?:\D*\d){9})\(?0[1-9]\d{0,3}\)?[ ./-]{0,3}\d[\d ./-]{4,12}"
    r"|(?:\+?1[ .-]?)?(?:\([2-9]\d\d\) ?|[2-9]\d\d[ .-])\d{3}[ .-]\d{4}"
    r"|\(\d{2,4}\) ?\d{4,5}[ -]?\d{4}"
    r"|\d{2} 9\d{4}[ -]?\d{4}"
    r"|1[3-9]\d[ -]?\d{4}[ -]?\d{4}"
    r"|[6-9]\d{4} \d{5}"
    r"|89\d{9}|8[ -]?\(?\d{3}\)?[ -]\d{3}[ -]?\d\d[ -]?\d\d"
    r"|[679]\d\d(?: \d\d){3}|[679]\d\d-\d{3}-\d{3}"
)
_NO_PHONE = re.compile(
    r"\d{4}[-./]\d{1,2}[-./]\d{1,2}(?:[ -]\d.*)?|\d{1,2}[-./]\d{1,2}[-./]\d{4}(?:[ -]\d.*)?"  # dates
    r"|.*(?<!\d)(?:1[5-9]|20)\d\d ?[-–/] ?(?:1[5-9]|20)\d\d(?!\d).*"  # spans of years
    r"|\d{1,3}(?:[ .]\d{3})+|\d+\.\d+|(?:\d{1,3}\.){3}\d{1,3}"  # grouped thousands, decimals, network addresses
)
# A number that is written in groups has few of them, and one that others follow is an id or a card.
_WORD = re.compile("[^ ]+")
_MOST_WORDS, _LEAST_OF_PART = 6, 13

_PLAIN: dict[int, str] = {
    **{code: str(int(chr(code))) for code in range(0x80, 0x20000) if chr(code).isdecimal()},
    **dict.fromkeys(
        map(ord, "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u3000"), " "
    ),
    **dict.fromkeys(
        map(ord, "\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"), " "
    ),
    **dict.fromkeys(map(ord, "‐‑‒–−－﹣"), "-"),
    **dict(zip(map(ord, "＠＋．（）／"), "@+.()/", strict=True)),
}
_CHANGED = one_character(_PLAIN)
_SPACE, _BETWEEN = (
    f"[{re.escape(''.join((*signs, *(chr(code) for code, form in _PLAIN.items() if form in signs))))}]"
    for signs in (" ", " ().-/")
)
# Seven digits that stand together, or letters and fewer: nothing else can be personal but an address. Every kind
# begins with a digit here, so that text without digits is passed over at once.
_CANDIDATE = re.compile(
    rf"\d(?:(?:{_BETWEEN}{{0,3}}\d){{6}}"
    rf"|(?:(?<=[A-Z]{{2}}\d)|(?<=[A-Z]{{2}}{_SPACE}\d))\d{_SPACE}?\d\d"
    rf"|(?<=[A-Za-z]{{2}}\d)\d{_SPACE}?[A-Za-z\d]{{4}})"
)


@dataclass(frozen=True, slots=True)
class Found:
    """Personal data of a kind, from `start` to `end` in the text."""

    kind: Kind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Validators:
    """What a library knows beside the rules here: more national ids, and national phone numbers (asked only of what
    is written in groups, seven digits or more)."""

    national_ids: tuple[NationalId, ...] = ()
    is_phone: Callable[[str], bool] | None = None


NONE_MORE = Validators()


def find(text: str, validators: Validators = NONE_MORE) -> list[Found]:
    """All personal data in a text, in order and without overlaps; the surer kind stands."""
    has_at, has_candidate = "@" in text or "＠" in text, _CANDIDATE.search(text) is not None
    if not has_at and not has_candidate:
        return []
    plain = text if text.isascii() else replaced(text, _CHANGED, _PLAIN)
    found = list(_emails(plain)) if has_at else []
    if has_candidate:
        ids, said = (*NATIONAL_IDS, *validators.national_ids), Announcements(plain)
        found += [*_ibans(plain), *_written_ids(plain, said, ids), *_numbers(plain, said, ids, validators.is_phone)]
    return _without_overlaps(found)


def key(value: str) -> str:
    """One spelling for a value: letters and digits alone, of an e-mail all of it."""
    plain = value.translate(_PLAIN).casefold()
    return plain.strip() if "@" in plain else re.sub(r"[^0-9a-z]", "", plain)


def _emails(text: str) -> Iterator[Found]:
    return (Found("email", *match.span()) for match in _EMAIL.finditer(text))


def _ibans(text: str) -> Iterator[Found]:
    for match in _IBAN.finditer(text):
        # What follows an IBAN may look like a part of it: the longest beginning that checks is the IBAN.
        for end in _word_ends(match.group()):
            if is_iban(re.sub("[ -]", "", match.group()[:end])):
                yield Found("iban", match.start(), match.start() + end)
                break


def _word_ends(text: str) -> list[int]:
    return sorted({len(text), *(match.start() for match in re.finditer("[ -]", text))}, reverse=True)


def _written_ids(text: str, said: Announcements, ids: Sequence[NationalId]) -> Iterator[Found]:
    starts = [match.start() for match in _ID_START.finditer(text)]
    for form, is_valid in ((each.form, each.is_valid) for each in ids if each.form):
        for match in filter(None, (form.match(text, start) for start in starts)):
            # Nothing but digits and spaces is how things are numbered, too.
            of_thing = _DIGITS_ALONE.fullmatch(match.group()) and said.of(*match.span()) == "other_numbers"
            if not of_thing and is_valid(_code(match.group())):
                yield Found("national_id", *match.span())
    for match in _ID_WITH_LETTERS.finditer(text):
        if said.of(*match.span()) == "ids" and _is_bare_id(match.group(), ids):
            yield Found("national_id", *match.span())


def _numbers(
    text: str, said: Announcements, ids: Sequence[NationalId], is_phone: Callable[[str], bool] | None
) -> Iterator[Found]:
    for match in _DIGITS.finditer(text):
        written, announced = match.group(), said.of(*match.span())
        last = 0
        for start, end in _parts(written):
            if start >= last and (kind := _kind_of(written[start:end], announced, ids)):
                yield Found(kind, match.start() + start, match.start() + end)
                last = end
        if not last and _may_be_phone(written, announced, is_phone):
            yield Found("phone", *match.span())


def _parts(written: str) -> Iterator[tuple[int, int]]:
    """The whole of it, then what a few neighbouring words of it make: a card's date of expiry may follow."""
    yield 0, len(written)
    words = [match.span() for match in _WORD.finditer(written)]
    for first, (start, _) in enumerate(words):
        for _, end in reversed(words[first : first + _MOST_WORDS]):
            if _LEAST_OF_PART <= end - start < len(written):
                yield start, end


def _kind_of(written: str, said: Announced | None, ids: Iterable[NationalId]) -> Kind | None:
    digits, grouped = _code(written), _CARD_GROUPS.fullmatch(written) is not None
    of_thing = said == "other_numbers"
    # Grouped as on a card it is one, whatever it is called; bare, unless it is called something else.
    if is_card(digits) and (grouped or said == "cards" or (len(digits) in (15, 16) and not of_thing)):
        return "card"
    if may_be_card(digits) and (said == "cards" or (grouped and not of_thing)):
        return "card"
    return "national_id" if said == "ids" and _is_bare_id(digits, ids) else None


def _may_be_phone(written: str, said: Announced | None, is_phone: Callable[[str], bool] | None) -> bool:
    if said in ("ids", "other_numbers") or not _LEAST_DIGITS <= len(_code(written)) <= 15:
        return False
    if _NO_PHONE.fullmatch(written) and not (said == "phones" and " " in written):
        return False
    if said == "phones" or _PHONE_FORMS.fullmatch(written):
        return True
    return is_phone is not None and not written.isdigit() and is_phone(written)


def _is_bare_id(code: str, ids: Iterable[NationalId]) -> bool:
    return any(each.bare is not None and each.bare.fullmatch(code) and each.is_valid(code) for each in ids)


def _code(written: str) -> str:
    return re.sub(r"[^0-9A-Za-z]", "", written)


def _without_overlaps(candidates: Iterable[Found]) -> list[Found]:
    found: list[Found] = []
    for each in sorted(candidates, key=lambda each: (each.start, -each.end)):
        if not found or each.start >= found[-1].end:
            found.append(each)
    return found
