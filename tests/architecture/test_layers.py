"""Imports go one way, in strings too: what import-linter can't see (a dotted path in a call) is read here."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.source import APART, LAYERS, PACKAGES, ROOT, modules, relative

# Calls that take a dotted path or an app's label, and import what it names sooner or later.
CALLS = {
    "include",
    "import_string",
    "import_module",
    "__import__",
    "send_task",
    "signature",
    "get_model",
    "ForeignKey",
    "OneToOneField",
    "ManyToManyField",
    "reverse",
}
PATH = re.compile(r"^(\w+)[.:]")


def named_in_calls(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The line and first name of each dotted path among the strings of such calls."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name(node.func) in CALLS:
            for value in (inner for argument in _arguments(node) for inner in ast.walk(argument)):
                if isinstance(value, ast.Constant) and (match := PATH.match(str(value.value))):
                    yield value.lineno, match[1]


def _arguments(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _name(function: ast.expr) -> str:
    match function:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case _:
            return ""


def out_of_order(package: str, source: str) -> list[tuple[int, str]]:
    """Paths that reach left of the package that names them, or across to the launcher."""
    allowed = LAYERS[LAYERS.index(package) :] if package in LAYERS else (APART,)
    return [
        (line, name) for line, name in named_in_calls(ast.parse(source)) if name in PACKAGES and name not in allowed
    ]


@pytest.mark.parametrize("path", modules(*PACKAGES), ids=relative)
def test_a_dotted_path_points_to_the_right(path: Path) -> None:
    package = path.relative_to(ROOT).parts[0]
    assert out_of_order(package, path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("package", "source"),
    [
        ("records", 'include("assistant.urls")'),
        ("records", 'models.ForeignKey("evals.Run", on_delete=models.CASCADE)'),
        ("metering", 'app.send_task("records.tasks.sweep")'),
        ("guardrails", 'import_string(name or "metering.prices.Price")'),
        ("launcher", 'import_module("config.environment")'),
        ("records", 'reverse("assistant:chat")'),
    ],
)
def test_a_path_to_the_left_is_found(package: str, source: str) -> None:
    assert len(out_of_order(package, source)) == 1


@pytest.mark.parametrize(
    ("package", "source"),
    [("config", 'include("records.urls")'), ("assistant", 'reverse("records:passage", args=[1])')],
)
def test_a_path_to_the_right_is_let_be(package: str, source: str) -> None:
    assert out_of_order(package, source) == []


def test_every_package_has_its_place() -> None:
    found = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests"}
    assert found == set(PACKAGES)


def test_no_test_imports_a_site_that_changes_the_process_which_imports_it():
    paths = sorted((ROOT / "tests").rglob("*.py"))
    sites = {path.stem for path in paths if "from config.asgi import application  # first" in path.read_text()}
    assert sites
    imported = re.compile(rf"^\s*(?:from|import) tests\.\w+\.(?:{'|'.join(sites)})\b", re.MULTILINE)
    assert [path.name for path in paths if imported.search(path.read_text())] == []
