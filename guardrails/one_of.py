"""One expression for many phrases: at each place it tries only those that go on as the text does, the longest first."""

import re
from collections.abc import Callable, Iterable
from itertools import groupby

NOTHING = "(?!)"


def one_of(phrases: Iterable[str], after: Callable[[str], str] = lambda phrase: "") -> str:
    """The expression; `after` gives the look-ahead that must hold behind a phrase. Without phrases it never matches."""
    wanted = sorted({(phrase, after(phrase)) for phrase in phrases if phrase})
    return _branches(wanted) if wanted else NOTHING


def _branches(rests: list[tuple[str, str]]) -> str:
    """The expression of the rests of phrases that begin alike."""
    branches: list[str] = []
    for first, group in groupby(rests, key=lambda rest: rest[0][:1]):
        if first:
            branches.append(re.escape(first) + _branches([(rest[1:], after) for rest, after in group]))
    # What ends here comes last: the longest phrase is tried first.
    branches += [after for rest, after in rests if not rest]
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"
