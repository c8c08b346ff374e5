"""Personal data in a text: found, and passed, redacted or blocked by policy.

Standing in a source is no permit: allowed is what the owner has listed. Cards, bank accounts and some national ids
are known by their check digits, phones and e-mails by their form; better detectors can be passed in. Digits of all
scripts count. Names and postal addresses are not looked for.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from guardrails.check_digits import is_aadhaar, is_card, is_chinese_id, is_cpf, is_iban, is_nir, is_spanish_id

Action = Literal["pass", "redact", "block"]
Kind = Literal["national_id", "card", "iban", "phone", "email"]

REDACTED = "[…]"
DEFAULT_POLICY: Mapping[str, Action] = MappingProxyType(
    {"national_id": "block", "card": "block", "iban": "block", "phone": "redact", "email": "redact"}
)

_DIGIT = re.compile(r"\d")
_LEAST_DIGITS = 7
_OTHER_DIGITS = re.compile(r"[^\x00-\x7f]")
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}\w{2,63}")
_IBAN = re.compile(r"(?<!\w)[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]){11,30}(?!\w)")
_DIGITS = re.compile(r"(?<![\w.,/])\+?\(?\d(?:[ \u00a0().\-/‑–]{0,2}\d){6,24}[xX]?(?!\w)")
_SPANISH_ID = re.compile(r"(?<!\w)(?:\d{8}|[XYZxyz]\d{7})-?[A-Za-z](?!\w)")
_NOT_PERSONAL = re.compile(
    r"(?:isbn|issn|doi|arxiv|orcid|rfc|commit|build|n\.?º|№)[\s:#-]*(?:1[03][\s:-]*)?$", re.IGNORECASE
)
_PHONE_FORMS = re.compile(
    r"(?:\+|00)\d[\d ().\-/]{6,20}"
    r"|\(?0\d{1,4}\)?[ ./-]?\d[\d ./-]{4,12}"
    r"|(?:\+?1[ .-]?)?\(?[2-9]\d\d\)?[ .-]\d{3}[ .-]\d{4}"
    r"|\(\d{2,4}\) ?\d{4,5}[ -]?\d{4}"
    r"|\d{2} 9\d{4}[ -]?\d{4}"
    r"|1[3-9]\d[ -]?\d{4}[ -]?\d{4}"
    r"|[6-9]\d{4} ?\d{5}"
    r"|8[ -]?\(?\d{3}\)?[ -]?\d{3}[ -]?\d\d[ -]?\d\d"
    r"|[679]\d\d(?: \d\d){3}|[679]\d\d-\d{3}-\d{3}"
)
_DATE = re.compile(r"\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4}|\d{4}[-–/ ]\d{4}")


@dataclass(frozen=True, slots=True)
class Found:
    """Personal data of a kind, from `start` to `end` in the text."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class LeakDecision:
    """What is to be done, what was found (what is allowed left out), and the text as it may be shown."""

    action: Action
    found: tuple[Found, ...]
    text: str


Detector = Callable[[str], Iterable[Found]]


@dataclass(frozen=True, slots=True)
class LeakRules:
    """What the owner allows, what happens to each kind, and detectors that take part beside the built-in ones."""

    allowed: frozenset[str] = frozenset()
    policy: Mapping[str, Action] = field(default_factory=lambda: DEFAULT_POLICY)
    detectors: tuple[Detector, ...] = ()


def check(text: str, rules: LeakRules) -> LeakDecision:
    """The decision on a text by the rules."""
    found = tuple(each for each in find(text, rules.detectors) if not _allowed(text[each.start : each.end], rules))
    actions = {rules.policy.get(each.kind, "block") for each in found}
    if "block" in actions:
        return LeakDecision("block", found, "")
    if "redact" not in actions:
        return LeakDecision("pass", found, text)
    hidden = [each for each in found if rules.policy.get(each.kind, "block") == "redact"]
    if _mostly(text, hidden):
        return LeakDecision("block", found, "")
    return LeakDecision("redact", found, _redacted(text, hidden))


def find(text: str, detectors: Sequence[Detector] = ()) -> list[Found]:
    """All personal data in a text, in order and without overlaps; the surer kind stands."""
    if "@" not in text and len(_DIGIT.findall(text)) < _LEAST_DIGITS:
        return []
    latin = _OTHER_DIGITS.sub(_latin_digit, text)
    candidates = [*_emails(latin), *_ibans(latin), *_ids(latin), *_numbers(latin)]
    for detector in detectors:
        candidates += detector(latin)
    return _without_overlaps(candidates)


def _latin_digit(character: re.Match[str]) -> str:
    digit = unicodedata.decimal(character.group(), None)
    return character.group() if digit is None else str(digit)


def _emails(text: str) -> Iterator[Found]:
    return (Found("email", *match.span()) for match in _EMAIL.finditer(text)) if "@" in text else iter(())


def _ibans(text: str) -> Iterator[Found]:
    for match in _IBAN.finditer(text):
        # What follows an IBAN may look like a part of it: the longest beginning that checks is the IBAN.
        for end in _word_ends(match.group()):
            if is_iban(re.sub("[ -]", "", match.group()[:end])):
                yield Found("iban", match.start(), match.start() + end)
                break


def _word_ends(text: str) -> list[int]:
    return sorted({len(text), *(match.start() for match in re.finditer("[ -]", text))}, reverse=True)


def _ids(text: str) -> Iterator[Found]:
    for match in _SPANISH_ID.finditer(text):
        if is_spanish_id(match.group().replace("-", "")):
            yield Found("national_id", *match.span())


def _numbers(text: str) -> Iterator[Found]:
    for match in _DIGITS.finditer(text):
        written = match.group()
        if _NOT_PERSONAL.search(text[max(0, match.start() - 16) : match.start()]):
            continue
        if kind := _kind_of(written):
            yield Found(kind, *match.span())


def _kind_of(written: str) -> Kind | None:
    digits = re.sub(r"\D", "", written)
    if is_card(digits):
        return "card"
    marked = digits + written[-1] if written[-1] in "xX" else digits
    grouped = re.fullmatch(r"\d{4} \d{4} \d{4}", written) is not None
    if is_cpf(digits) or is_chinese_id(marked) or is_nir(digits) or (grouped and is_aadhaar(digits)):
        return "national_id"
    if _PHONE_FORMS.fullmatch(written) and 7 <= len(digits) <= 15 and not _DATE.fullmatch(written):
        return "phone"
    return None


def _without_overlaps(candidates: Iterable[Found]) -> list[Found]:
    found: list[Found] = []
    for each in sorted(candidates, key=lambda each: (each.start, -each.end)):
        if not found or each.start >= found[-1].end:
            found.append(each)
    return found


def _allowed(written: str, rules: LeakRules) -> bool:
    key = _key(written)
    for allowed in rules.allowed:
        other = _key(allowed)
        # A number may be listed with its country code and written without it.
        if key == other or (min(len(key), len(other)) >= 7 and key.isdigit() and _same_number(key, other)):
            return True
    return False


def _same_number(one: str, other: str) -> bool:
    short, long = sorted((one.lstrip("0"), other.lstrip("0")), key=len)
    return len(short) >= 7 and long.endswith(short) and len(long) - len(short) <= 3


def _key(written: str) -> str:
    latin = _OTHER_DIGITS.sub(_latin_digit, written)
    if "@" in latin:
        return latin.casefold().strip()
    return re.sub(r"[^0-9a-z]", "", latin.casefold())


def _mostly(text: str, hidden: Sequence[Found]) -> bool:
    visible = sum(not character.isspace() for character in text)
    redacted = sum(not character.isspace() for each in hidden for character in text[each.start : each.end])
    return 2 * redacted > visible


def _redacted(text: str, hidden: Sequence[Found]) -> str:
    parts: list[str] = []
    last = 0
    for each in hidden:
        parts += (text[last : each.start], REDACTED)
        last = each.end
    return "".join((*parts, text[last:]))
