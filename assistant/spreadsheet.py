"""Rows as CSV that a spreadsheet opens as text: no cell begins as a formula does, whatever a visitor wrote into it."""

import csv
from collections.abc import Iterable, Iterator, Sequence

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")  # what Excel, LibreOffice and Sheets take for the start of one
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
        yield writer.writerow([_cell(value) for value in row])


def _cell(value: object) -> object:
    """Put an apostrophe before a text that a spreadsheet would calculate; numbers stay numbers."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
