"""docs/fallbacks.md tells of nothing that no test breaks."""

import re

import pytest

from tests.architecture.source import ROOT

ROWS = re.findall(r"^\| (.+?) \|.*\| `(\S+\.py): (\w+)` \|$", (ROOT / "docs/fallbacks.md").read_text(), re.MULTILINE)


def test_every_row_names_a_test():
    rows = [line for line in (ROOT / "docs/fallbacks.md").read_text().splitlines() if line.startswith("| ")][1:]
    assert len(ROWS) == len(rows) > 15


@pytest.mark.parametrize(("path", "name"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_the_test_exists(path, name):
    assert re.search(rf"^ *(async )?def {name}\(", (ROOT / path).read_text(), re.MULTILINE)
