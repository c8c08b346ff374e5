"""The map names every module and no other; the settings are listed as the code declares them."""

import ast
import re
from pathlib import Path

from config.environment import Environment, read
from evals.doctor.configuration import table
from tests.architecture.source import PACKAGES, ROOT, modules, parsed

MAP = ROOT / "docs" / "map.md"
SETTINGS = ROOT / "docs" / "settings.md"
ROW = re.compile(r"^\| `([\w/.]+\.py)` \|")


def on_the_map() -> list[str]:
    """Paths of modules in the map: rows of the section that is headed by their package."""
    package, found = "", []
    for line in MAP.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            heading = re.match(r"^## `(\w+)/`", line)
            package = heading[1] if heading else ""
        elif package and (row := ROW.match(line)):
            found.append(f"{package}/{row[1]}")
    return found


def says_something(path: Path) -> bool:
    """Whether there is more in a module than its docstring, if that."""
    return len(parsed(path).body) > 1


def test_every_module_is_on_the_map_once() -> None:
    written = [path.relative_to(ROOT).as_posix() for path in modules(*PACKAGES) if says_something(path)]
    assert sorted(on_the_map()) == sorted(written)


def test_every_file_that_the_map_points_to_exists() -> None:
    named = re.findall(r"\]\(\.\./([\w/.]+)\)", MAP.read_text(encoding="utf-8"))
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_settings_are_documented_as_they_are_declared() -> None:
    assert table(read()) in SETTINGS.read_text(encoding="utf-8")


def test_every_setting_says_what_it_is_for() -> None:
    assert [name for name, field in Environment.model_fields.items() if not field.description] == []


def test_every_module_says_what_it_guarantees() -> None:
    silent = [path for path in modules(*PACKAGES) if parsed(path).body and not ast.get_docstring(parsed(path))]
    assert silent == []
