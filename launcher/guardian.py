"""Stops what a supervisor started when the supervisor is gone, even killed with -9.

`python -m launcher.guardian LEDGER` reads standard input, which the supervisor holds open and never writes
to: its end means that the supervisor has ended. After an orderly stop the ledger is empty and there is nothing to do.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TextIO

from launcher.ledger import Ledger, stop
from launcher.paths import ROOT


def start(ledger: Ledger, lock: TextIO) -> subprocess.Popen[bytes]:
    """Start the guardian of this process; it lives as long as we do and holds `lock` until it is done."""
    return subprocess.Popen(
        [sys.executable, "-m", "launcher.guardian", str(ledger.path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
        pass_fds=(lock.fileno(),),
        start_new_session=True,
    )


def main(path: Path) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    while os.read(sys.stdin.fileno(), 1024):
        pass
    ledger = Ledger(path)
    stop(ledger.read())
    ledger.write([])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
