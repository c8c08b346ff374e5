from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from guardrails.language import LanguageFileError, load
from guardrails.strict_toml import read


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    name: str
    marks: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    size: int
    items: tuple[Item, ...]
    names: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    title: str
    section: Section


GOOD = """title = "a"
[section]
size = 3
[[section.items]]
name = "one"
marks = ["x"]
[[section.items]]
name = "two"
marks = []
[section.names]
"1" = ["first", "1st"]
"""


def load_text(tmp_path: Path, text: str) -> File:
    path = tmp_path / "xx.toml"
    path.write_text(text, encoding="utf-8")
    return read(path, File)


def test_a_complete_file_becomes_nested_values(tmp_path):
    file = load_text(tmp_path, GOOD)
    assert file.section.items[1].name == "two"
    assert file.section.items[0].marks == frozenset({"x"})
    assert file.section.names["1"] == ("first", "1st")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('marks = ["x"]\n', "", "line 4: section.items[0].marks: missing key"),
        ("marks = []", "marks = []\ncolour = 1", "line 10: section.items[1].colour: unknown key"),
        ("size = 3", 'size = "3"', "line 3: section.size: must be of type int"),
        ("size = 3", "size = true", "line 3: section.size: must be of type int"),
        ('marks = ["x"]', 'marks = ["x", "x"]', "line 6: section.items[0].marks: 'x' stands there twice"),
        ('marks = ["x"]', 'marks = "x"', "line 6: section.items[0].marks: must be a list"),
        ('["first", "1st"]', '["first", 1]', "line 11: section.names.1[1]: must be of type str"),
        ('title = "a"\n', "", "line 1: title: missing key"),
        ("size = 3", "size = ", "xx.toml: "),
    ],
)
def test_anything_else_stops_with_file_key_and_line(tmp_path, old, new, message):
    with pytest.raises(LanguageFileError) as caught:
        load_text(tmp_path, GOOD.replace(old, new))
    assert "xx.toml" in str(caught.value)
    assert message in str(caught.value)


def test_an_unknown_code_is_named_with_the_known_ones():
    with pytest.raises(LanguageFileError, match="'xx' is not among the languages: en, fa"):
        load("xx")
