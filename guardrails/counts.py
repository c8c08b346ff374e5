"""Whether a number counts what its own sentence lists, as in "three systems: Ledger, Search and Portal".

Such a count is no value. The list must follow a colon, a dash, a comma or a bracket after the number, or fill the
sentence before it; its items are told apart by commas and by the language's "and".
"""

import re
from functools import cache

from guardrails.language import load
from guardrails.latch_sections import expand
from guardrails.plain import plain
from guardrails.value_reading import Value

_MOST_ITEMS = 20
_OPENS_LIST = re.compile(r"[:：—–(（]|,(?!\d)|،|，| - ")
# Between the number and the list stands what is counted, not another clause.
_LONGEST_NAME = 60
_LAST_COMMA = re.compile(r"[,،，](?=[^,،，]*\Z)")
_CLOSES_LIST = re.compile(r"[.!?;)）。！？؟؛।۔]|\s[—–-]\s|\Z")


def counts_own_list(value: Value, sentence: str, language: str) -> bool:
    """Whether the bare whole number `value` of a plain sentence counts the items that the sentence lists."""
    if value.whole is None or not 2 <= value.whole <= _MOST_ITEMS:
        return False
    opening = _OPENS_LIST.search(sentence, value.end, value.end + _LONGEST_NAME)
    if opening and _is_list_of(value.whole, _until_close(sentence, opening.end()), language):
        return True
    before = sentence[: value.start]
    return value.whole > 2 and value.whole == _items(before, language)


def _is_list_of(count: int, text: str, language: str) -> bool:
    # After "two teams, Ledger and Search, met" the last comma closes the list.
    return count in (_items(text, language), _items(_LAST_COMMA.split(text)[0], language))


def _until_close(sentence: str, start: int) -> str:
    closing = _CLOSES_LIST.search(sentence, start)
    return sentence[start : closing.start() if closing else len(sentence)]


def _items(text: str, language: str) -> int:
    return len([item for item in _separator(language).split(text) if item.strip(" *_\"'“”«»")])


@cache
def _separator(language: str) -> re.Pattern[str]:
    """A comma, an "and", or both; a comma inside a number is none."""
    words = sorted(map(plain, expand(load(language).linking.conjunctions)), key=len, reverse=True)
    han = [word for word in words if re.match("[\u3400-\u9fff]", word)]
    spaced = [rf"\s{re.escape(word)}\s" for word in words if word not in han]
    glued = [re.escape(word) for word in han]
    # Arabic writes its "and" onto the next word.
    clitics = [rf"\s{re.escape(clitic)}(?=\w{{2}})" for clitic in load(language).numbers.clitics if clitic in words]
    conjunction = "|".join((*spaced, *glued, *clitics)) or "(?!)"
    return re.compile(rf"(?:[,،，、;；](?!\d)\s*)(?:(?:{conjunction})\s*)?|(?:{conjunction})")
