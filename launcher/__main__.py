"""`python -m launcher setup|run|services|test|bench`: each ends with one clear line where it cannot go on."""

import argparse
import errno
import sys
from pathlib import Path

from launcher import run, services, setup, suite
from launcher.console import Failure, complain
from launcher.paths import VAR


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="launcher", description="The commands behind the Makefile.")
    commands = parser.add_subparsers(dest="command", required=True)
    environment = commands.add_parser("setup", help="make .venv and install what is locked")
    environment.add_argument("--development", action="store_true", help="with the tools for tests and lint")
    site = commands.add_parser("run", help="the whole site, until Ctrl-C")
    alone = commands.add_parser("services", help="PostgreSQL and Valkey alone, until Ctrl-C")
    for command in (site, alone):
        command.add_argument("--state", type=Path, default=VAR, help="where the data is (var/)")
    alone.add_argument("--volatile", action="store_true", help="fast, and lost in a crash: for tests")
    commands.add_parser("test", help="the test suite on servers of its own; all that follows goes to pytest")
    commands.add_parser("bench", help="the measurements, on servers of their own; all that follows names some")
    return parser


def main(arguments: list[str]) -> int:
    """Run one command; its exit status."""
    try:
        if arguments[:1] == ["test"]:
            return suite.run_tests(arguments[1:])
        if arguments[:1] == ["bench"]:
            return suite.run_bench(arguments[1:])
        given = _parser().parse_args(arguments)
        if given.command == "setup":
            setup.set_up(setup.DEVELOPMENT if given.development else setup.RUN)
        elif given.command == "run":
            run.run(given.state.absolute())
        else:
            services.serve(given.state.absolute(), volatile=given.volatile)
    except Failure as failure:
        complain(str(failure))
        return 1
    except OSError as error:
        complain(_plainly(error))
        return 1
    except KeyboardInterrupt:
        return suite.INTERRUPTED
    return 0


def _plainly(error: OSError) -> str:
    if error.errno == errno.ENOSPC:
        return "The disk is full: make room and start again."
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"{error.filename} belongs to somebody else: start as its owner, or move it away."
    return f"{error.filename or 'The system'}: {error.strerror}."


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
