"""The head of a Markdown file: YAML between `---`, TOML between `+++` or JSON, and what site generators write there.

Names differ from generator to generator; what is known of them is here. What is text in a head becomes text of
the record: short values its fields, longer ones sections of its body.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, time
from typing import Any

import yaml

from guardrails.characters import speakable
from records.dates import PartialDate
from records.importing.entries import Facts, Unreadable
from records.models import Access

_HEAD = re.compile(
    r"(?P<mark>---|\+\+\+)[ \t]*\n(?P<head>.*?)^(?P=mark)[ \t]*(?:\n|\Z)(?P<body>.*)", re.DOTALL | re.MULTILINE
)
_OPENED = re.compile(r"---[ \t]*\n[\w-]+[ \t]*:|\+\+\+[ \t]*\n[\w-]+[ \t]*=")
_JSON = re.compile(r"\{\s*\"")
_DATE = re.compile(r"(?P<day>\d{4}(?:(?P<mark>[-/])\d{1,2}(?:(?P=mark)\d{1,2})?)?)(?:[T ]\s*\d{1,2}:.*)?")
_STILL = {"present", "now", "current", "today", "ongoing"}
_SECTION_WORDS = 8  # a value of so many words is text to be read, not a field

PUBLISHED = ("publishdate", "pubdate", "published_at", "date")
START = ("start", "date", "startdate", "from", "published_at", "publishdate", "pubdate")
END = ("end", "enddate", "to", "until")
SUMMARY = ("summary", "description", "excerpt", "subtitle", "lead")
LANGUAGE = ("lang", "language", "locale")
KIND = ("kind", "type")
_KNOWN = {
    *("title", "slug", "translationkey", "draft", "published", "status", "fields", "current", "access", "visibility"),
    *("group", "authority", "decided_by", "valid_from", "valid_to", "expirydate"),
    *(*START, *END, *SUMMARY, *LANGUAGE, *KIND),
}
# What generators keep there for themselves: no reader is meant to read it.
_MACHINERY = {
    *("aliases", "author", "authors", "banner", "build", "canonical", "cascade", "comments", "cover", "cover_image"),
    *(
        "created",
        "css",
        "cssclass",
        "cssclasses",
        "excerpt_separator",
        "featured",
        "featured_image",
        "header",
        "hidden",
    ),
    *("id", "image", "images", "js", "lastmod", "layout"),
    *("linktitle", "markup", "math", "menu", "menus", "modified", "nav_order", "order", "outputs", "permalink"),
    *("redirect_from", "robots", "share", "sitemap", "social", "template", "thumbnail", "toc", "updated", "url"),
    *("uuid", "weight"),
}


@dataclass(frozen=True, slots=True)
class Head:
    """A file's head, its names in lower case, and its body."""

    values: Mapping[str, Any]
    body: str

    def text(self, *names: str) -> str:
        """The first of these that is written, as text."""
        value = self._first(names)
        return "" if value is None or isinstance(value, (dict, list)) else " ".join(str(value).split())

    def is_draft(self) -> bool:
        """Whether the file says that it is not for readers yet."""
        values = self.values
        return bool(values.get("draft")) or values.get("published") is False or values.get("status") == "draft"

    def is_scheduled(self, today: date) -> bool:
        """Whether it says that it appears on a day to come: generators wait for it. Raises Unreadable."""
        appears = self._partial(PUBLISHED)
        return appears is not None and appears.day > today

    def facts(self) -> Facts:
        """Dates, access and standing; raises Unreadable."""
        access = self.text("access", "visibility").lower() or Access.PUBLIC
        if access not in Access.values:
            raise Unreadable(f"access must be one of {', '.join(Access.values)}, not {access!r}")
        start, end = self._partial(START), self._partial(END)
        still = self.text(*END).lower() in _STILL
        return Facts(
            start=start,
            end=end,
            current=still or bool(self.values.get("current", False)),
            access=access,
            group=self.text("group"),
            authority=self._number("authority"),
            decided_by=self.text("decided_by"),
            valid_from=self._day("valid_from"),
            valid_to=self._day("valid_to", "expirydate"),
        )

    def fields(self) -> dict[str, Any]:
        """Short values under names that only this site knows."""
        nested = self.values.get("fields")
        fields = {name: value for name, value in self._own() if not _is_long(value)}
        return fields | (nested if isinstance(nested, dict) else {})

    def sections(self) -> Iterator[str]:
        """Longer values as sections of Markdown, in the order of the head."""
        for name, value in self._own():
            if _is_long(value):
                text = "\n".join(f"- {item}" for item in value) if isinstance(value, list) else value
                yield f"## {name.replace('_', ' ').replace('-', ' ').capitalize()}\n\n{text}"

    def left_out(self) -> list[str]:
        """Names whose values were not taken: they hold tables or are a generator's own."""
        taken = {name for name, _ in self._own()}
        return sorted(name for name in self.values if name not in taken | _KNOWN | _MACHINERY)

    def _own(self) -> Iterator[tuple[str, str | list[str]]]:
        for name, value in self.values.items():
            if name in _KNOWN or name in _MACHINERY:
                continue
            if isinstance(value, str) and value.strip():
                yield name, value.strip()
            elif isinstance(value, list) and value and all(isinstance(item, (str, int)) for item in value):
                yield name, [str(item) for item in value]

    def _first(self, names: tuple[str, ...]) -> Any:
        return next((self.values[name] for name in names if self.values.get(name) not in (None, "")), None)

    def _partial(self, names: tuple[str, ...]) -> PartialDate | None:
        value = self._first(names)
        if value is None or str(value).strip().lower() in _STILL:
            return None
        written = str(value).strip()
        match = _DATE.fullmatch(written)
        if not match:
            raise Unreadable(f"{written!r} is no date such as 2018, 2018-09 or 2018-09-03")
        try:
            return PartialDate.read(match["day"].replace("/", "-"))
        except ValueError as error:
            raise Unreadable(str(error)) from error

    def _day(self, *names: str) -> date | None:
        partial = self._partial(names)
        return partial.day if partial else None

    def _number(self, name: str) -> int:
        value = self.values.get(name, 0)
        if not isinstance(value, int):
            raise Unreadable(f"{name} must be a whole number, not {value!r}")
        return int(value)


def read(text: str) -> Head:
    """Head and body of a file; a file without a head is all body. Raises Unreadable."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if _JSON.match(text):
        return _read_json(text)
    match = _HEAD.match(text)
    if not match:
        if _OPENED.match(text):
            raise Unreadable("its head has no end")
        return Head({}, text)
    try:
        values = tomllib.loads(match["head"]) if match["mark"] == "+++" else yaml.safe_load(match["head"])
    except (tomllib.TOMLDecodeError, yaml.YAMLError) as error:
        raise Unreadable(f"its head can't be read: {' '.join(str(error).split())}") from error
    if isinstance(values, str):  # no head: prose between two lines
        return Head({}, text)
    if values is not None and not isinstance(values, dict):
        raise Unreadable("its head must be a list of names and values")
    return _head(values or {}, match["body"])


def _read_json(text: str) -> Head:
    try:
        values, end = json.JSONDecoder().raw_decode(text)
    except ValueError as error:
        raise Unreadable(f"its head can't be read: {error}") from error
    return _head(values, text[end:])


def _head(values: Mapping[Any, Any], body: str) -> Head:
    return Head({str(name).strip().lower(): _plain(value) for name, value in values.items()}, body)


def _plain(value: Any) -> Any:
    """A value as JSON and the database take it."""
    match value:
        case dict():
            return {str(name): _plain(item) for name, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
        case bool() | int() | float() | None:
            return value
        case date() | time():
            return value.isoformat()
        case _:
            return speakable(str(value))


def _is_long(value: str | list[str]) -> bool:
    longest = value if isinstance(value, str) else max(value, key=len)
    return len(longest.split()) >= _SECTION_WORDS
