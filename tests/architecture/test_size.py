"""Modules stay small enough to be read in one sitting."""

from pathlib import Path

import pytest

from tests.architecture.source import PACKAGES, ROOT, modules, relative

CODE_LINES = 400
TEST_LINES = 500


def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize("path", modules(*PACKAGES), ids=relative)
def test_a_module_stays_under_the_ceiling(path: Path) -> None:
    assert lines(path) <= CODE_LINES


@pytest.mark.parametrize("path", sorted((ROOT / "tests").rglob("*.py")), ids=relative)
def test_a_test_file_stays_under_its_ceiling(path: Path) -> None:
    assert lines(path) <= TEST_LINES
