"""Whether a source says something word for word, told by the plain forms of both.

Where the same characters stand in the same surroundings they mean the same, and need not be read twice.
"""

import re

STOPS = ".!?。！？।؟۔…"
# Where a sentence begins for certain, and where it ends: the point in 3.5 does neither.
_BEGUN = re.compile(r"(?:[.!?؟।۔…]\s+|[。！？]\s*|\n\s*)\Z")
# The full stop after a short number may make it the day of a date.
_ENDED = re.compile(r"[.!?؟।۔…]*(?:\s*\n|\Z)|(?:[!?؟।۔…]|(?<!\D\d)(?<!\D\d\d)\.)[.!?؟।۔…]*\s|[。！？]")
_LOOK_BACK = 4


def says(source: str, wanted: str, *, begins: bool, ends: bool) -> bool:
    """Whether the source has the wanted text, where it begins or ends a sentence at the beginning or end of one."""
    place = source.find(wanted) if wanted else -1
    if place < 0:
        return False
    if begins and place and not _BEGUN.search(source[max(0, place - _LOOK_BACK) : place]):
        return False
    return not ends or _ENDED.match(source, place + len(wanted)) is not None


def says_sentence(source: str, sentence: str) -> bool:
    """Whether a sentence of the source is this one."""
    return says(source, sentence.strip().rstrip(STOPS), begins=True, ends=True)


def says_from(source: str, sentence: str, first: int, last: int) -> bool:
    """Whether the source has what stands from `first` to `last` in the sentence."""
    begins, ends = first <= 0, last >= len(sentence.rstrip().rstrip(STOPS))
    wanted = sentence[max(0, first) : last]
    wanted = wanted.lstrip() if begins else wanted
    return says(source, wanted.rstrip().rstrip(STOPS) if ends else wanted, begins=begins, ends=ends)
