"""The product's own source files, for tests that read them."""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LAYERS = ("config", "evals", "assistant", "records", "metering", "guardrails")  # left may import right
APART = "launcher"
PACKAGES = (*LAYERS, APART)


def modules(*packages: str) -> list[Path]:
    """Every Python file of the packages that somebody wrote by hand."""
    return [
        path
        for package in packages
        for path in sorted((ROOT / package).rglob("*.py"))
        if "migrations" not in path.parts
    ]


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
