"""A database that is made for a measurement and dropped afterwards, and the lines that are printed meanwhile."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from django.db import connection  # noqa: TID251  # makes and drops the database that is measured


@contextmanager
def made_for_it() -> Iterator[None]:
    """Work on a database of the measurement's own; needs a server, whose test database it makes and drops."""
    name = connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        yield
    finally:
        connection.close_pool()  # type: ignore[attr-defined]  # PostgreSQL's wrapper has it
        connection.creation.destroy_test_db(name, verbosity=0)


def print_rows(rows: Iterable[tuple[str, object]]) -> None:
    """Print each label with its figure as soon as it is known."""
    for label, figure in rows:
        sys.stdout.write(f"{label:<44}{figure}\n")
        sys.stdout.flush()
