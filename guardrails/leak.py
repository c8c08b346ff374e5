"""What is done with personal data in a text: passed, redacted or blocked, by the owner's policy for each kind.

Standing in a source is no permit: allowed is what the owner has listed.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, NamedTuple

from guardrails.personal_data import NONE_MORE, Found, Kind, Validators, find, key

Action = Literal["pass", "redact", "block"]

# What stands in the place of a redacted value, in every language; "[…]" would be any editor's omission.
REDACTED = "[•••]"
DEFAULT_POLICY: Mapping[Kind, Action] = MappingProxyType(
    {"national_id": "block", "card": "block", "iban": "block", "phone": "redact", "email": "redact"}
)


class LeakDecision(NamedTuple):
    """What is to be done, what was found (what is allowed left out), and the text as it may be shown."""

    action: Action
    found: tuple[Found, ...]
    text: str


@dataclass(frozen=True, slots=True)
class LeakRules:
    """What the owner allows, what happens to each kind, and what validates beside the built-in rules."""

    allowed: frozenset[str] = frozenset()
    policy: Mapping[Kind, Action] = field(default_factory=lambda: DEFAULT_POLICY)
    validators: Validators = NONE_MORE


def check(text: str, rules: LeakRules) -> LeakDecision:
    """The decision on a text by the rules."""
    found = find(text, rules.validators)
    if not found:
        return LeakDecision("pass", (), text)
    if rules.allowed:
        found = [each for each in found if not is_allowed(text[each.start : each.end], rules.allowed)]
    actions = {rules.policy.get(each.kind, "block") for each in found}
    if "block" in actions:
        return LeakDecision("block", tuple(found), "")
    if "redact" not in actions:
        return LeakDecision("pass", tuple(found), text)
    hidden = [each for each in found if rules.policy.get(each.kind, "block") == "redact"]
    if _mostly(text, hidden):
        return LeakDecision("block", tuple(found), "")
    return LeakDecision("redact", tuple(found), _redacted(text, hidden))


def is_allowed(value: str, allowed: Collection[str]) -> bool:
    """Whether the owner has listed the value, in whatever spelling; a phone also with or without its country code."""
    wanted = key(value)
    return any(wanted == other or _same_number(wanted, other) for other in map(key, allowed))


def _same_number(one: str, other: str) -> bool:
    if not re.fullmatch(r"\d{7,15}", one) or not re.fullmatch(r"\d{7,15}", other):
        return False
    short, long = sorted((one.lstrip("0"), other.lstrip("0")), key=len)
    return len(short) >= 7 and long.endswith(short) and len(long) - len(short) <= 3


def _mostly(text: str, hidden: Sequence[Found]) -> bool:
    return 2 * sum(_visible(text[each.start : each.end]) for each in hidden) > _visible(text)


def _visible(text: str) -> int:
    return sum(map(len, text.split()))


def _redacted(text: str, hidden: Sequence[Found]) -> str:
    parts: list[str] = []
    last = 0
    for each in hidden:
        parts += (text[last : each.start], REDACTED)
        last = each.end
    return "".join((*parts, text[last:]))
