"""Reads one TOML file into nested frozen dataclasses, and accepts nothing less and nothing more.

A missing, unknown or mistyped key stops with file, key and line. It knows no key by name: the dataclasses
are the schema, and none of their fields may have a default.
"""

import re
import tomllib
import types
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

Loaded = TypeVar("Loaded")
KeyPath = tuple[str | int, ...]


class LanguageFileError(ValueError):
    """A language file is incomplete or wrong; the message says where. To be corrected: nothing replaces it."""


def read(path: Path, schema: type[Loaded]) -> Loaded:
    """The file as an instance of `schema`; raises LanguageFileError."""
    try:
        text = path.read_text(encoding="utf-8")
        table = tomllib.loads(text)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise LanguageFileError(f"{path.name}: {error}") from error
    return _Reader(path.name, text).build(schema, table, ())


class _Reader:
    """Builds values by the type hints of the schema and turns every mismatch into one clear line."""

    def __init__(self, name: str, text: str) -> None:
        self._name = name
        self._text = text

    def build(self, schema: type[Loaded], table: object, at: KeyPath) -> Loaded:
        if not isinstance(table, dict):
            raise self._error(at, "must be a table")
        wanted = get_type_hints(schema)
        names = [field.name for field in fields(schema)]  # type: ignore[arg-type]  # schemas are dataclasses
        for key in table:
            if key not in names:
                raise self._error((*at, key), "unknown key")
        for key in names:
            if key not in table:
                raise self._error((*at, key), "missing key")
        try:
            return schema(**{key: self._value(wanted[key], table[key], (*at, key)) for key in names})
        except ValueError as error:
            if isinstance(error, LanguageFileError):
                raise
            raise self._error(at, str(error)) from error

    def _value(self, wanted: Any, value: object, at: KeyPath) -> Any:
        if is_dataclass(wanted):
            return self.build(wanted, value, at)  # type: ignore[arg-type]  # a dataclass hint is a class
        origin = get_origin(wanted)
        if origin is tuple or origin is frozenset:
            return self._sequence(origin, get_args(wanted), value, at)
        if origin is Mapping:
            return self._mapping(get_args(wanted)[1], value, at)
        if not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
            raise self._error(at, f"must be of type {wanted.__name__}")
        return value

    def _sequence(self, kind: type, arguments: tuple[Any, ...], value: object, at: KeyPath) -> Any:
        if not isinstance(value, list):
            raise self._error(at, "must be a list")
        open_ended = kind is frozenset or arguments[-1] is Ellipsis
        if not open_ended and len(value) != len(arguments):
            raise self._error(at, f"must have {len(arguments)} items")
        hints = [arguments[0]] * len(value) if open_ended else list(arguments)
        pairs = enumerate(zip(hints, value, strict=True))
        items = [self._value(hint, item, (*at, i)) for i, (hint, item) in pairs]
        if kind is frozenset and len(set(items)) != len(items):
            twice = next(item for item in items if items.count(item) > 1)
            raise self._error(at, f"{twice!r} stands there twice")
        return kind(items)

    def _mapping(self, wanted: Any, value: object, at: KeyPath) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            raise self._error(at, "must be a table")
        built = {key: self._value(wanted, item, (*at, key)) for key, item in value.items()}
        return types.MappingProxyType(built)

    def _error(self, at: KeyPath, problem: str) -> LanguageFileError:
        key = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in at).lstrip(".")
        return LanguageFileError(f"{self._name}, line {self._line(at)}: {key or 'the file'}: {problem}")

    def _line(self, at: KeyPath) -> int:
        """The line of the key, or of the nearest table around it that has one."""
        lines = dict(_key_lines(self._text))
        while at and at not in lines:
            at = at[:-1]
        return lines.get(at, 1)


_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]")
_KEY = re.compile(r"""^\s*(?:"([^"]+)"|([\w-]+))\s*=""")


def _key_lines(text: str) -> Iterator[tuple[KeyPath, int]]:
    table: KeyPath = ()
    counts: dict[KeyPath, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = tuple(part.strip().strip('"') for part in header[2].split("."))
            if header[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = (*table, counts[table])
            yield table, number
        elif key := _KEY.match(line):
            yield (*table, key[1] or key[2]), number
