"""What the supervisor needs to know of a program to start it, call it ready, and stop it."""

import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path


def _always() -> bool:
    return True


def _nothing() -> None:
    return None


@dataclass(frozen=True)
class Program:
    """`before` runs ahead of each start and may raise Failure; `ready` is polled until it holds (seconds)."""

    name: str
    command: tuple[str | Path, ...]
    log: Path
    env: Mapping[str, str] = field(default_factory=dict)
    cwd: Path | None = None
    stop_signal: signal.Signals = signal.SIGTERM
    grace: float = 10.0
    start_limit: float = 60.0
    before: Callable[[], None] = _nothing
    ready: Callable[[], bool] = _always
