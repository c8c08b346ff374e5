"""The items of a previous answer, in order, when they can be read without doubt; otherwise none.

Items are lines of a list, or titles that the site itself gives, or quotations. Where two ways of reading name
different items there is doubt, and no item is better than the wrong one.
"""

import re
from collections.abc import Sequence

from guardrails.text import fold

_MARK = re.compile(r"^\s*(?:[-*•‣–]|[\d٠-٩۰-۹०-९]{1,2}[.)、．])\s+")
_MARKER = re.compile(r"\s*(?:\[{1,2}[\d,\s\-–]+\]{1,2}|【\d+】)")
_NAMED = re.compile(r"\*\*(.+?)\*\*|[\"“„«「『《]\s*(.+?)\s*[\"”“»」』》]")
_AFTER_NAME = re.compile(r"\s*(?:[:：–—]|\s-\s|\s\(|（)")
_NAME_WORDS = 12


def items(answer: Sequence[str] | str, titles: Sequence[str]) -> list[str]:
    """The items that a reader would count in the answer, as the site or the answer names them."""
    lines = answer.splitlines() if isinstance(answer, str) else [line for part in answer for line in part.splitlines()]
    lines = [line for line in (_MARKER.sub("", line).strip() for line in lines) if line]
    listed = [line for line in lines if _MARK.match(line)]
    if len(listed) < 2 and not isinstance(answer, str) and len(lines) > 1 and all(map(_is_name, lines)):
        listed = lines
    if len(listed) > 1:
        return [_name(_MARK.sub("", line), titles) for line in listed]
    text = "\n".join(lines)
    known = _titles_in_order(text, titles)
    quoted = list(dict.fromkeys(first or second for first, second in _NAMED.findall(text)))
    if known and quoted and {fold(item).text for item in quoted} - {fold(item).text for item in known}:
        return []
    return known or quoted


def _is_name(line: str) -> bool:
    return len(line.split()) <= _NAME_WORDS and line[-1] not in ".。।۔"


def _name(line: str, titles: Sequence[str]) -> str:
    if known := _titles_in_order(line, titles):
        return known[0]
    if named := _NAMED.search(line):
        return named[1] or named[2]
    return _AFTER_NAME.split(line, maxsplit=1)[0].strip().rstrip(".。।۔")


def _titles_in_order(text: str, titles: Sequence[str]) -> list[str]:
    """The titles that stand in the text, by place; one inside a longer one is not counted."""
    folded = fold(text).text
    taken: list[tuple[int, int, str]] = []
    for title in sorted(set(titles), key=len, reverse=True):
        needle = fold(title).text.strip()
        start = folded.find(needle) if needle else -1
        end = start + len(needle)
        if start >= 0 and not any(start < other_end and other < end for other, other_end, _ in taken):
            taken.append((start, end, title))
    return [title for _, _, title in sorted(taken)]
