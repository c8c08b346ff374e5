"""URLs and e-mail addresses in plain text: where they stand, and one spelling for each.

A bare host counts as a URL when it ends in a common top-level domain. Nothing is looked up.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

_TOP_LEVEL = (
    "com|org|net|edu|gov|info|biz|eu|io|dev|app|ai|co|me|uk|de|fr|es|pt|br|ru|ir|in|cn|tw|hk|sa|ae|eg|ma|mx|ar"
    "|us|ca|ch|at|be|nl|it|pl|tv|xyz|site|online|blog|tech|cloud|example|test|invalid"
)
_ADDRESS = re.compile(
    r"(?P<email>(?<![\w.+-])[\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8})"
    r"|(?P<url>(?:https?://|ftp://|www\.)[a-z0-9._~:/?#@!$&*+=%;,-]+"
    rf"|(?<![\w@.-])(?:[a-z0-9-]{{1,63}}\.){{1,8}}(?:{_TOP_LEVEL})(?![\w-])(?:/[a-z0-9._~:/?#@!$&*+=%;,-]*)?)"
)
_BARE_HOST = re.compile(rf"\.(?:{_TOP_LEVEL})(?![\w-])")
# Every address has one of these, at most so far behind its beginning.
_SIGN = re.compile(rf"@|://|www\.|{_BARE_HOST.pattern}")
_LONGEST_BEFORE_SIGN = 600
_SPACE = re.compile(r"\s")
_TRAILING = ".,;:!?*_~"


@dataclass(frozen=True, slots=True)
class Address:
    """An address in a plain text, from `start` to `end`; `key` is the same for every way to write it."""

    kind: Literal["url", "email"]
    key: str
    literal: str
    start: int
    end: int


def find(plain: str) -> list[Address]:
    """All addresses of a plain text, in order."""
    if not ("@" in plain or "://" in plain or "www." in plain or _BARE_HOST.search(plain)):
        return []
    return [_address(match) for start, end in _signed(plain) for match in _ADDRESS.finditer(plain, start, end)]


def _signed(plain: str) -> Iterator[tuple[int, int]]:
    """Where what stands between two spaces has a sign of an address in it."""
    place = 0
    while sign := _SIGN.search(plain, place):
        first = max(place, sign.start() - _LONGEST_BEFORE_SIGN)
        glued = _SPACE.split(plain[first : sign.start()])[-1]
        space = _SPACE.search(plain, sign.end())
        place = space.start() if space else len(plain)
        yield sign.start() - len(glued), place


def host(url_key: str) -> str:
    """The host of a URL's key."""
    return re.split("[/?#]", url_key, maxsplit=1)[0].rpartition("@")[2].partition(":")[0]


def belongs(url_key: str, domains: Sequence[str]) -> bool:
    """Whether the URL's host is one of the domains or below one of them."""
    name = host(url_key)
    listed = [domain.casefold().removeprefix("www.").strip(".") for domain in domains]
    return any(name == domain or name.endswith(f".{domain}") for domain in listed)


def _address(match: re.Match[str]) -> Address:
    text = match.group().rstrip(_TRAILING)
    end = match.start() + len(text)
    if match["email"]:
        return Address("email", text, text, match.start(), end)
    key = re.sub(r"^(?:https?|ftp)://", "", text).removeprefix("www.").rstrip("/")
    return Address("url", key, text, match.start(), end)
