"""How a test holds an answer of a site in a process of its own: in a file it says after how many sentences."""

import os
from collections.abc import Iterator
from pathlib import Path

ENVIRONMENT = "HELD_AFTER"  # holds the file's path
_PAUSE = 0.05  # seconds


class Hold:
    """The test's end of it. Without the file nothing is held."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def after(self, sentences: int) -> None:
        """Let the site say so many sentences, and no more until it is told otherwise."""
        written = self.file.with_suffix(".new")
        written.write_text(str(sentences))
        written.replace(self.file)

    def release(self) -> None:
        self.file.unlink(missing_ok=True)


def held(said: int) -> Iterator[float]:
    """The site's end: yield pauses, in seconds, as long as no more than what is said may be said."""
    while (allowed := _allowed()) is not None and said >= allowed:
        yield _PAUSE


def _allowed() -> int | None:
    path = os.environ.get(ENVIRONMENT)
    try:
        return int(Path(path).read_text()) if path else None
    except FileNotFoundError:
        return None
