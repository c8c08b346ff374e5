"""Reads recorded cases, one JSON object a line, as far as all their languages have a file."""

import json
from pathlib import Path
from typing import Any

from guardrails.language import available

CASES = Path(__file__).parent / "cases"


def rows(kind: str) -> list[tuple[str, dict[str, Any]]]:
    """Every case of a kind with its language."""
    found: list[tuple[str, dict[str, Any]]] = []
    for code in available():
        path = CASES / f"{kind}.{code}.jsonl"
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        found += [(code, json.loads(line)) for line in lines]
    return [(code, row) for code, row in found if {code, *row.get("source_langs", ())} <= set(available())]


def without_spaces(texts: list[str]) -> list[str]:
    """Texts as they are compared."""
    return ["".join(text.split()) for text in texts]
