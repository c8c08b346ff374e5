"""The map shows every module as it describes itself; the settings are listed as the code declares them."""

import ast
import re

import pytest

from config.environment import Environment, read
from evals.doctor.configuration import table as settings_table
from tests.architecture.module_map import MAP, section, table
from tests.architecture.source import PACKAGES, ROOT, modules, parsed

SETTINGS = ROOT / "docs" / "settings.md"
ANEW = "run: .venv/bin/python -m tests.architecture.module_map"


@pytest.mark.parametrize("package", PACKAGES)
def test_the_map_shows_every_module_and_no_other(package: str) -> None:
    text = MAP.read_text(encoding="utf-8")
    start, end = section(text, package)
    assert table(package) in text[start:end], ANEW


def test_every_file_that_the_map_links_to_exists() -> None:
    linked = re.findall(r"\]\(([\w/.-]+)\)", MAP.read_text(encoding="utf-8"))
    assert linked
    assert [name for name in linked if not (MAP.parent / name).exists()] == []


def test_settings_are_documented_as_they_are_declared() -> None:
    assert settings_table(read()) in SETTINGS.read_text(encoding="utf-8")


def test_every_setting_says_what_it_is_for() -> None:
    assert [name for name, field in Environment.model_fields.items() if not field.description] == []


def test_every_module_says_what_it_guarantees() -> None:
    silent = [path for path in modules(*PACKAGES) if parsed(path).body and not ast.get_docstring(parsed(path))]
    assert silent == []
