"""What the person at the terminal reads: progress lines, and the one line that ends a start.

Everything goes to standard output at once, so that a pipe or a log shows progress as it happens.
"""

import sys


class Failure(Exception):
    """Something the person who started this can act on; its message is the one clear line they see."""


def say(line: str) -> None:
    print(line, flush=True)


def complain(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
