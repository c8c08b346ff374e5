"""What stands beside a number in plain text: scales (million), percent signs and words, currencies.

Says what it finds and where it ends; what the number means with it is decided in `values`.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from guardrails.latch_sections import Numbers, expand
from guardrails.one_of import one_of
from guardrails.plain import plain

PERCENT = "%"
SPACES = " \u00a0\u202f"
_HAN = re.compile("[\u3400-\u9fff]")


class Unit(NamedTuple):
    """The factor and the unit of a number, and where they end; unit is "" for a bare number."""

    scale: int
    name: str
    end: int


class Units:
    """The scales and units of one language."""

    def __init__(self, numbers: Numbers) -> None:
        self._scales = {plain(form): value for form, value in numbers.scales.items()}
        self._names = {plain(form): PERCENT for form in expand(numbers.percent)}
        for name, forms in numbers.currencies.items():
            self._names |= {plain(form): name for form in expand(forms)}
        self._money_scales = {plain(form): value for form, value in numbers.money_scales.items()}
        signs = [(form, name) for form, name in self._names.items() if form.upper() == form and name != PERCENT]
        # 3 M€ and $3M: what means something else beside a bare number.
        self._money = {f"{scale}{sign}": (scale, name) for scale in self._money_scales for sign, name in signs}
        self._money_after = after_number(self._money_scales)
        self.forms = frozenset((*self._scales, *self._names, *self._money))
        self._after = after_number(self.forms)
        before = {plain(form): PERCENT for form in (*expand(numbers.percent_before), "%")}
        before |= {form: name for form, name in self._names.items() if name != PERCENT}
        self.before_number = frozenset(before)
        # By their last characters: where none of these stands before a number, perhaps before a space, no unit does.
        self._before: dict[str, list[tuple[str, str]]] = {}
        for form, name in sorted(before.items(), key=lambda pair: -len(pair[0])):
            self._before.setdefault(form[-1], []).append((form, name))
        self.before_last = self._before.keys()

    def after(self, text: str, end: int) -> Unit:
        """The scales and the unit that follow a number which ends at `end`."""
        scale = 1
        while match := self._after.match(text, end):
            form = match[1]
            end = match.end()
            if form in self._money:
                money, name = self._money[form]
                return Unit(scale * self._money_scales[money], name, end)
            scale *= self._scales.get(form, 1)
            # 成 is both: a tenth of the whole, 三成 is 30 %.
            if form in self._names:
                return Unit(scale, self._names[form], end)
        return Unit(scale, "", end)

    def money(self, name: str, text: str, end: int) -> Unit | None:
        """The short scale that follows an amount with its currency before it, which ends at `end`."""
        match = self._money_after.match(text, end) if name and name != PERCENT else None
        return Unit(self._money_scales[match[1]], name, match.end()) if match else None

    def before(self, text: str, start: int) -> tuple[str, int]:
        """The unit that stands before a number, and where it begins; "" without one."""
        head = text[max(0, start - 16) : start]
        bare = head.rstrip(SPACES)
        for form, name in self._before.get(bare[-1:], ()):
            if bare.endswith(form) and _stands_alone(bare, form):
                # A percent sign with a space after it belongs to the number before it.
                if form == PERCENT and (len(bare) < len(head) or bare[-2:-1].isdigit()):
                    return "", start
                return name, start - len(head) + len(bare) - len(form)
        return "", start


def after_number(forms: Iterable[str]) -> re.Pattern[str]:
    """An expression for one of the forms right after a number, glued, spaced or with a hyphen."""
    return re.compile(f"[{SPACES}]{{0,2}}-?({one_of(forms, after=_boundary)})")


def _boundary(form: str) -> str:
    return r"(?![^\W\d_])" if form[-1].isalnum() and not _HAN.match(form[-1]) else ""


def _stands_alone(text: str, form: str) -> bool:
    before = text[-len(form) - 1 : -len(form)]
    return not form[0].isalpha() or not before.isalpha() or _HAN.match(form[0]) is not None
