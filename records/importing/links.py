"""Links between the files of a folder, led to where their records are on this site.

A link to a file that is not taken in leaves its words, and a picture nothing: neither is on this site. Addresses
with a scheme, of the whole site (`/…`) and within the page (`#…`) stay as they are.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from pathlib import PurePosixPath
from posixpath import normpath
from urllib.parse import unquote, urlsplit

from records.importing import prose
from records.importing.entries import Entry, original

_TARGET = r"\(\s*(?P<target><[^<>\n]*>|[^()\s<>]*(?:\([^()\s]*\)[^()\s<>]*)*)(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)"
_PICTURE = re.compile(r"!\[(?P<words>[^\[\]]*)\]" + _TARGET)
_LINK = re.compile(r"(?<!!)\[(?P<words>[^\[\]]*)\]" + _TARGET)


def led(entries: Iterable[Entry]) -> Iterator[Entry]:
    """The entries with their links to each other leading to records, without pictures."""
    entries = list(entries)
    known = _pages(entries)
    for entry in entries:
        yield _led(entry, known)


def _led(entry: Entry, known: Mapping[str, str]) -> Entry:
    pictures = 0

    def link(match: re.Match[str]) -> str:
        target = match["target"].strip("<>")
        if not _is_file(target):
            return match.group()
        page = _find(target, entry.origin, known)
        return f"[{match['words']}](/{entry.language}/{page}/)" if page and match["words"] else match["words"]

    def change(stretch: str) -> str:
        nonlocal pictures
        stretch, count = _PICTURE.subn("", stretch)
        pictures += count
        return _LINK.sub(link, stretch)

    body = prose.changed(entry.body, change).strip()
    notes = (*entry.notes, f"without pictures ({pictures})") if pictures else entry.notes
    return replace(entry, body=body, notes=notes)


def _is_file(target: str) -> bool:
    """Whether it is the name of a file beside this one; an empty one was a generator's."""
    parts = urlsplit(target)
    return not (parts.scheme or parts.netloc or target.startswith(("/", "#", "?")))


def _find(target: str, origin: str, known: Mapping[str, str]) -> str | None:
    """The page that the file became: seen from the folder of `origin`, from the root, or by its name alone."""
    name = unquote(urlsplit(target).path)
    beside = normpath(str(PurePosixPath(origin).parent / name))
    return next((known[each] for each in (beside, normpath(name), PurePosixPath(name).name) if each in known), None)


def _pages(entries: Iterable[Entry]) -> dict[str, str]:
    """The page of each file's record, without its language: by the file's name, with its end or without, or folder."""
    found: dict[str, str] = {}
    for _, same in groupby(sorted(entries, key=lambda entry: entry.key), key=lambda entry: entry.key):
        texts = list(same)
        slug = original(texts).slug
        for entry in texts:
            for name in _names(PurePosixPath(entry.origin)):
                found.setdefault(name, f"{entry.kind}/{slug}")
    return found


def _names(path: PurePosixPath) -> tuple[str, ...]:
    if path.name.startswith("index."):
        return str(path), str(path.parent), path.parent.name
    return str(path), str(path.with_suffix("")), path.name, path.stem
