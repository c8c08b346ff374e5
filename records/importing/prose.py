"""Where a Markdown text is code, and where it is prose that an importer may change."""

import re
from collections.abc import Callable

# A fenced block, one that never ends included, or a piece of code within a line.
CODE = r"^[ \t]*(?P<fence>`{3,}|~{3,}).*?(?:^[ \t]*(?P=fence)[`~]*[ \t]*$|\Z)|`[^`\n]+`"
_CODE = re.compile(CODE, re.DOTALL | re.MULTILINE)


def changed(markdown: str, change: Callable[[str], str]) -> str:
    """The text with every stretch between code changed, and code as it was."""
    parts: list[str] = []
    last = 0
    for code in _CODE.finditer(markdown):
        parts += (change(markdown[last : code.start()]), code.group())
        last = code.end()
    return "".join((*parts, change(markdown[last:])))
