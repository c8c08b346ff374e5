"""Rows as CSV that a spreadsheet opens as text: no cell begins as a formula does, whatever a visitor wrote into it."""

import csv
from collections.abc import Iterable, Iterator, Sequence

# What Excel, LibreOffice and Sheets take for the start of a formula, in full width as well.
_FORMULA = ("=", "+", "-", "@", "|", "%", "＝", "＋", "－", "＠")
BOM = "\ufeff"  # without it Excel takes UTF-8 for something else


class _Line:
    """A file that hands back what is written, for the standard library's writer."""

    def write(self, line: str) -> str:
        return line


def lines(rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Yield rows as lines of CSV, the first one after a byte order mark."""
    writer = csv.writer(_Line())
    yield BOM
    for row in rows:
        yield writer.writerow([cell(value) for value in row])


def cell(value: object) -> object:
    """Return what a spreadsheet shows and never runs: before a text that begins as a formula stands an apostrophe."""
    if isinstance(value, list):
        value = "\n".join(value)
    if not isinstance(value, str):
        return value
    visible = "".join(character for character in value if character.isprintable()).lstrip()
    return f"'{value}" if visible.startswith(_FORMULA) or value.startswith(("\t", "\r", "\n")) else value
