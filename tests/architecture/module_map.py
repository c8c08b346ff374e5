"""The tables of docs/map.md, made from what each module says of itself: `python -m tests.architecture.module_map`.

The text around the tables is written by hand and stays as it is.
"""

import ast
import re
from pathlib import Path

from tests.architecture.source import PACKAGES, ROOT, modules, parsed

MAP = ROOT / "docs" / "map.md"
HEADING = "## `{}/`"
TABLE = re.compile(r"\| module \| what it is \|\n(?:\|.*\n)*")


def table(package: str) -> str:
    """One row a module that holds more than a docstring, with the first sentence of that."""
    paths = [path for path in modules(package) if len(parsed(path).body) > 1]
    rows = (f"| `{path.relative_to(ROOT / package).as_posix()}` | {first_sentence(path)} |\n" for path in paths)
    return "".join(("| module | what it is |\n", "|---|---|\n", *rows))


def first_sentence(path: Path) -> str:
    words = " ".join((ast.get_docstring(parsed(path)) or "").split())
    return re.split(r"(?<=\.) ", words)[0].replace("|", "\\|")


def section(text: str, package: str) -> tuple[int, int]:
    """Where a package's section begins and ends."""
    start = text.index(HEADING.format(package))
    end = text.find("\n## ", start + 1)
    return start, len(text) if end < 0 else end


def redrawn(text: str) -> str:
    """The map with every table made anew."""
    for package in PACKAGES:
        start, end = section(text, package)
        before, after = TABLE.split(text[start:end], maxsplit=1)
        text = text[:start] + before + table(package) + after + text[end:]
    return text


if __name__ == "__main__":
    MAP.write_text(redrawn(MAP.read_text(encoding="utf-8")), encoding="utf-8")
