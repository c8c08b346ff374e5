"""`python -m bench [refusal latch support chunks search ingestion grouping board streaming]`: prints the named, or all.

From `search` on they need the database server that `make bench` starts.
"""

import os
import sys
from importlib import import_module

import django

MEASUREMENTS = ("refusal", "latch", "support", "chunks", "search", "ingestion", "grouping", "board", "streaming")


def main(names: list[str]) -> int:
    if unknown := set(names) - set(MEASUREMENTS):
        sys.stderr.write(f"no such measurement: {', '.join(sorted(unknown))}; there are {', '.join(MEASUREMENTS)}\n")
        return 2
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    for name in names or MEASUREMENTS:
        import_module(f"bench.{name}").measure()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
