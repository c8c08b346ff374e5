"""What the person at the terminal reads: progress lines, and the one line that ends a start.

Everything goes to standard output at once, so that a pipe or a log shows progress as it happens.
"""

import contextlib
import sys
from typing import TextIO


class Failure(Exception):
    """Something the person who started this can act on; its message is the one clear line they see."""


def say(line: str) -> None:
    _write(line, sys.stdout)


def complain(line: str) -> None:
    _write(line, sys.stderr)


def _write(line: str, stream: TextIO) -> None:
    with contextlib.suppress(OSError):  # nobody reads any more: no reason to leave the site half stopped
        print(line, file=stream, flush=True)
