"""`python -m bench.counted_site`: the site as it is, which counts its database statements by the kind of thread.

At SIGUSR1 it writes to BENCH_FIGURES what was counted so far.
"""

import json
import os
import signal
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from config.server import Command  # first: it sets Django up

from django.db.backends.signals import connection_created  # isort: skip

_statements: Counter[str] = Counter()


def _count(execute: Callable[..., Any], *call: Any) -> Any:
    _statements[threading.current_thread().name.rpartition("_")[0] or threading.current_thread().name] += 1
    return execute(*call)


def _watch(connection: Any, **_: object) -> None:
    if _count not in connection.execute_wrappers:
        connection.execute_wrappers.append(_count)


def _tell(*_: object) -> None:
    path = Path(os.environ["BENCH_FIGURES"])
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(_statements), encoding="utf-8")
    fresh.replace(path)


if __name__ == "__main__":
    connection_created.connect(_watch)
    signal.signal(signal.SIGUSR1, _tell)
    Command.entrypoint()
