"""Numbers in digits: one token of a plain text, and what it can mean by the conventions of its language.

1,200 (en) is 1.200 (de) is 1 200 (fr); 3.5 is never 35. Where two readings are possible, or none, only the same
characters match. Chinese numerals are read here too. Units, dates and comparison stand in `values` and `dates`.
"""

import re
from collections.abc import Iterator, Mapping

from guardrails.latch_sections import Numbers

POINTS = "点點"  # what parts the decimals of a number in Chinese characters
_SPACES = " \u00a0\u202f\u2009"
# Every kind begins with the same digit, so that text without digits is passed over at once.
_TOKEN = re.compile(
    r"\d(?:(?P<date>\d{3}([-./])\d{1,2}\2\d{1,2}(?!\d)|\d?([-./])\d{1,2}\3\d{4}(?!\d))"
    r"|(?P<month>(?:(?<=0)[1-9]|(?<=1)[0-2]|(?<=[1-9]))[/.](?:1[349]|20)\d\d(?![\d/]|\.\d))"
    r"|(?P<time>\d?:\d\d(?::\d\d)?(?![\d:]))"
    rf"|(?P<spaced>\d{{0,2}}(?:[{_SPACES}]\d{{3}})+(?!\d)(?:[.,٫]\d+)?)"
    r"|(?P<number>\d*(?:[.,'٫٬]\d+)*))",
    re.ASCII,  # a plain text has no other digits, and these are found several times as fast
)
_SPACE = re.compile(f"[{_SPACES}]")
_GROUPED_REST = re.compile(r"\d{3}(?:\D\d{3})*\Z")
_INDIAN_REST = re.compile(r"(?:\d{2}\D)*\d{3}\Z")
_SEPARATOR = re.compile(r"\D")


def tokens(text: str) -> Iterator[re.Match[str]]:
    """The numbers in digits, as matches whose last group is `date`, `month`, `time`, `spaced` or `number`."""
    return _TOKEN.finditer(text)


def read(token: str, numbers: Numbers) -> str | None:
    """The number of a token as plain digits with a decimal point; None where it can't be read without doubt."""
    if token.isdigit():
        return _digits(token)
    readings = {reading for reading in _readings(_SPACE.sub(" ", token), numbers) if reading}
    return readings.pop() if len(readings) == 1 else None


def _readings(token: str, numbers: Numbers) -> list[str | None]:
    separators = _SEPARATOR.findall(token)
    first, last = separators[0], separators[-1]
    if len(separators) == 1:
        found: list[str | None] = []
        if first in numbers.unsure:
            # Three digits may be a group or decimals; any other count can only be decimals.
            found += [_decimal(token, first), _grouped(token)]
        grouped = _grouped(token) if first in numbers.group + " " else None
        # Where a mark does both, it groups what it can: 1.200 is a thousand and 3.5 is not.
        if first in numbers.decimal and not grouped:
            found.append(_decimal(token, first))
        return [*found, grouped]
    if len(set(separators)) == 1:
        return [_grouped(token)] if first in numbers.group + numbers.unsure + " " else []
    head, _, tail = token.rpartition(last)
    # What an apostrophe groups has its decimals behind either mark.
    marks = ".," if first == "'" else numbers.decimal + numbers.unsure
    if len(set(separators[:-1])) == 1 and last in marks and first != last:
        whole = _grouped(head)
        return [f"{whole}.{tail}" if whole and first in numbers.group + numbers.unsure + " " else None]
    return []


def _decimal(token: str, mark: str) -> str:
    whole, _, rest = token.partition(mark)
    return f"{_digits(whole)}.{rest}"


def _grouped(token: str) -> str | None:
    first = _SEPARATOR.search(token)
    if first is None:
        return _digits(token)
    head, rest = token[: first.start()], token[first.end() :]
    if head.startswith("0") or len(head) > 3:
        return None
    western = _GROUPED_REST.match(rest)
    indian = len(head) <= 2 and _INDIAN_REST.match(rest)
    return _digits(_SEPARATOR.sub("", token)) if western or indian else None


def _digits(digits: str) -> str:
    return digits.lstrip("0") or "0"


def read_characters(run: str, characters: Mapping[str, int]) -> float | None:
    """The value of a run of Chinese numerals, such as 三百五十, 二〇一九 or 三点五; None where it is no number."""
    whole, point, rest = run.partition(next(filter(run.__contains__, POINTS), POINTS[0]))
    if point:
        value, decimals = read_characters(whole, characters), _positional(rest, characters)
        return None if value is None or decimals is None else float(f"{int(value)}.{decimals}")
    values = [characters[character] for character in whole]
    if not values or (values[0] >= 100):
        return None
    if all(value < 10 for value in values):
        return float("".join(map(str, values)))
    return _multiplied(values)


def _positional(run: str, characters: Mapping[str, int]) -> str | None:
    digits = [characters[character] for character in run]
    return "".join(map(str, digits)) if digits and max(digits) < 10 else None


def _multiplied(values: list[int]) -> float:
    total = section = digit = 0
    for value in values:
        if value < 10:
            digit = value
        elif value < 10_000:
            section += (digit or 1) * value
            digit = 0
        else:
            # 一亿二千万 adds to the hundred million, 一万二千亿 multiplies all of it.
            part = section + digit
            total = (total + part) * value if total < value else total + part * value
            section = digit = 0
    return float(total + section + digit)
