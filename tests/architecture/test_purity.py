"""The rules over text can be lifted out: they need Python's standard library and nothing else."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.source import ROOT, modules, parsed, relative

IMPORT_ALL = """
import pkgutil, sys
import guardrails
for module in pkgutil.walk_packages(guardrails.__path__, "guardrails."):
    if not module.name.endswith("__main__"):
        __import__(module.name)
print("\\n".join(sorted(sys.modules)))
"""


def imported(path: Path) -> set[str]:
    """The first names of what a module imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add("guardrails" if node.level else str(node.module).partition(".")[0])
    return names


@pytest.mark.parametrize("path", modules("guardrails"), ids=relative)
def test_a_rule_imports_the_standard_library_alone(path: Path) -> None:
    assert imported(path) - sys.stdlib_module_names - {"guardrails"} == set()


def test_all_rules_load_without_django_and_without_the_rest_of_the_product() -> None:
    ran = subprocess.run([sys.executable, "-c", IMPORT_ALL], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in ran.stdout.split()}
    assert "guardrails" in loaded
    assert loaded & {"django", "config", "evals", "assistant", "records", "metering", "pydantic", "celery"} == set()
