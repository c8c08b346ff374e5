"""`python -m launcher services [--state DIR]`: each ends with one clear line when it cannot go on."""

import argparse
import sys
from pathlib import Path

from launcher import services
from launcher.console import Failure, complain
from launcher.paths import VAR


def main() -> int:
    parser = argparse.ArgumentParser(prog="launcher", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    alone = commands.add_parser("services", help="PostgreSQL and Valkey alone")
    alone.add_argument("--state", type=Path, default=VAR, help="where their data is (var/)")
    alone.add_argument("--volatile", action="store_true", help="fast, and lost in a crash: for tests")
    given = parser.parse_args()
    try:
        services.serve(given.state.absolute(), volatile=given.volatile)
    except Failure as failure:
        complain(str(failure))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
