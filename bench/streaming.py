"""How long a sentence waits in the product, with a bare relay of the same model's stream beside it in the same run.

One web process as the site runs it: layers, latch, each sentence stored before it is sent. A model's server of our own
speaks so many tokens a second and notes when each leaves it; readers note when a sentence reaches them. A sentence
has arrived whole with its last byte, and is known to have ended with the token after it: both are told.
"""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.db import connection  # noqa: TID251  # makes and drops the database that is measured
from psycopg.conninfo import make_conninfo

from bench import database, readers
from launcher.process import tied
from launcher.run import WEB_SERVER
from records import ingestion

CASES = ((200, 20.0), (100, 50.0))  # readers, tokens a second
OVER = 20.0  # seconds within which all turns start
ANSWER = 24.0  # seconds that an answer takes: longer than OVER, so that all readers are there at once
STARTS_WITHIN = 300.0  # seconds, of a program
ROOT = Path(__file__).parents[1]


@dataclass(slots=True)
class Waits:
    """Seconds, of each sentence: from its last byte, and from the token by which its end is known, to its reader."""

    whole: list[float] = field(default_factory=list)
    ended: list[float] = field(default_factory=list)

    def add(self, when: float, stamps: list[float], place: int) -> None:
        """Take a sentence that came at `when`, and whose last token has this place in the stamps."""
        self.whole.append(when - stamps[place])
        self.ended.append(when - stamps[place + 1])

    def __str__(self) -> str:
        return f"{_ms(self.ended)}; from its last byte {_ms(self.whole)}, n={len(self.ended)}"


@dataclass(frozen=True, slots=True)
class Size:
    """What a process holds: memory in KiB, open descriptors."""

    kib: int
    descriptors: int

    def more_than(self, empty: "Size", readers: int) -> str:
        """Tell both in words, and what each reader added to the empty process."""
        memory = f"{self.kib // 1024} MiB ({(self.kib - empty.kib) / readers:.0f} KiB a reader)"
        added = (self.descriptors - empty.descriptors) / readers
        return f"{memory}, {self.descriptors} descriptors ({added:.1f} a reader)"


@dataclass(slots=True)
class Server:
    """A program that listens, and how to reach it."""

    port: int
    process: subprocess.Popen[bytes]

    def get(self, path: str) -> Any:
        """Return the JSON at a path."""
        asked = HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            asked.request("GET", path)
            return json.loads(asked.getresponse().read())
        finally:
            asked.close()


def measure() -> None:
    """Prints a block for each case; needs a database server, whose test database it makes and drops.

    BENCH_READERS (such as `10`) measures with so many readers instead of the full numbers.
    """
    with database.made_for_it():
        call_command("load_demo", stdout=sys.stderr)
        ingestion.work(3600.0)
        for count, rate in CASES:
            _case(int(os.environ.get("BENCH_READERS") or count), rate)


def _case(count: int, rate: float) -> None:
    _print(f"streaming: {count} readers at {rate:.0f} tokens/s, turns started over {OVER:.0f} s")
    with tempfile.TemporaryDirectory() as name, _model(Path(name), rate) as model:
        folder = Path(name)
        environment = _environment(model.port, folder)
        with _site(folder, environment) as site:
            asyncio.run(readers.all_of(readers.of_product(site.port), 1, 0))  # what only the first question waits for
            prompt = model.get("/prompt")["prompt"]
            before, first, empty = _figures(site, folder), _processor(site), _size(site)
            arrived, full = asyncio.run(_all_and_size(site, count))
            after, taken = _figures(site, folder), _processor(site) - first
        product = _product_waits(arrived, model.get("/stamps"))
        with _relay(folder, environment) as relay:
            first = _processor(relay)
            frames = asyncio.run(readers.all_of(readers.of_relay(relay.port, prompt), count, OVER))
            relayed = _processor(relay) - first
        bare = _relay_waits(frames, model.get("/stamps"))
    _print(f"  product: a sentence waits {product}")
    _print(f"  relay:   a sentence waits {bare}")
    _print(f"  product above relay at p95: {(_at(product.ended, 0.95) - _at(bare.ended, 0.95)) * 1e3:+.1f} ms")
    _print(f"  processor a turn: product {taken / count * 1e3:.0f} ms, relay {relayed / count * 1e3:.0f} ms")
    _print(f"  with all readers there: {full.more_than(empty, count)}; load of the machine {os.getloadavg()[0]:.1f}")
    made = {kind: (n - before.get(kind, 0)) / count for kind, n in after.items()}
    told = (f"{n:.1f} on {kind}" for kind, n in sorted(made.items()) if n)
    _print(f"  statements a turn by the threads that run them: {', '.join(told)}")


async def _all_and_size(site: Server, count: int) -> tuple[list[list[float]], Size]:
    """Let all readers read; return what they noted, and the size of the site's process when all were there."""

    async def later() -> Size:
        await asyncio.sleep(OVER + 1)
        return _size(site)

    return await asyncio.gather(readers.all_of(readers.of_product(site.port), count, OVER), later())


def _product_waits(arrived: list[list[float]], left: dict[str, Any]) -> Waits:
    waits = Waits()
    for number, times in enumerate(arrived):
        stamps, ends = left["stamps"][str(number)], left["ends"][str(number)]
        if len(times) < len(ends):
            raise AssertionError(f"reader {number} got {len(times)} sentences of {len(ends)}")
        for (place, _length), when in zip(ends, times, strict=False):  # a caveat that we add comes after the model's
            waits.add(when, stamps, place)
    return waits


def _relay_waits(arrived: list[list[tuple[int, float]]], left: dict[str, Any]) -> Waits:
    waits = Waits()
    for number, frames in enumerate(arrived):
        stamps, ends = left["stamps"][str(number)], left["ends"][str(number)]
        lengths = [length for length, _when in frames]
        for place, length in ends:
            waits.whole.append(frames[bisect_left(lengths, length)][1] - stamps[place])
            if length < lengths[-1]:  # after the last sentence no token comes
                waits.ended.append(frames[bisect_left(lengths, length + 1)][1] - stamps[place + 1])
    return waits


@contextmanager
def _model(folder: Path, rate: float) -> Iterator[Server]:
    port = _free_port()
    command = ("-m", "bench.model_site", str(port), str(rate), str(round(ANSWER * rate)))
    with _running(folder / "model.log", command, dict(os.environ), port, "/prompt") as server:
        yield server


@contextmanager
def _site(folder: Path, environment: dict[str, str]) -> Iterator[Server]:
    port = _free_port()
    arguments = WEB_SERVER[WEB_SERVER.index("-v") :]  # all but the module: ours counts
    command = ("-m", "bench.counted_site", *arguments, "-b", "127.0.0.1", "-p", str(port), "config.asgi:application")
    with _running(folder / "site.log", command, environment, port, "/healthz", warm=True) as server:
        yield server


@contextmanager
def _relay(folder: Path, environment: dict[str, str]) -> Iterator[Server]:
    port = _free_port()
    command = ("-m", "daphne", "-v", "0", "-b", "127.0.0.1", "-p", str(port), "bench.relay_site:application")
    with _running(folder / "relay.log", command, environment, port, "") as server:
        yield server


@contextmanager
def _running(
    log: Path, command: tuple[str, ...], environment: dict[str, str], port: int, path: str, *, warm: bool = False
) -> Iterator[Server]:
    with log.open("wb") as output:
        process = subprocess.Popen(  # noqa: S603  # programs of our own
            [sys.executable, *command], cwd=ROOT, env=environment, stdout=output, stderr=output, preexec_fn=tied()
        )
    server = Server(port, process)
    try:
        _wait_for(server, path, warm=warm)
        yield server
    except Exception:
        sys.stderr.write(f"{command[1]} said last:\n{log.read_text(errors='replace')[-4000:]}\n")
        raise
    finally:
        process.terminate()
        process.wait(timeout=60)


def _wait_for(server: Server, path: str, *, warm: bool) -> None:
    end = time.monotonic() + STARTS_WITHIN
    while not _listens(server, path, warm=warm):
        if server.process.poll() is not None or time.monotonic() > end:
            raise AssertionError("it did not start")
        time.sleep(0.1)


def _listens(server: Server, path: str, *, warm: bool) -> bool:
    try:
        if path:
            told = server.get(path)
            return not warm or bool(told["warm"])
        with socket.create_connection(("127.0.0.1", server.port), timeout=1):
            return True
    except (OSError, HTTPException):
        return False


def _environment(model: int, folder: Path) -> dict[str, str]:
    now = connection.settings_dict
    address = make_conninfo(
        dbname=now["NAME"], user=now["USER"], password=now["PASSWORD"], host=now["HOST"], port=now["PORT"]
    )
    return {
        **os.environ,
        "DATABASE_URL": address,
        "TRUSTED_PROXIES": "1",  # each reader has an address of its own
        "LLM_PROVIDER": "openai",
        "LLM_BASE_URL": f"http://127.0.0.1:{model}/v1",
        "LLM_MODEL": "bench",
        "LLM_API_KEY": "none",
        "LLM_INPUT_USD_PER_MTOK": "0.1",
        "LLM_OUTPUT_USD_PER_MTOK": "0.4",
        "LLM_MAX_OUTPUT_TOKENS": "2000",
        "MONTHLY_CAP_USD": "1000",
        "BENCH_FIGURES": str(folder / "figures"),
    }


def _figures(site: Server, folder: Path) -> dict[str, int]:
    """Statements so far, by the kind of thread."""
    path = folder / "figures"
    path.unlink(missing_ok=True)
    site.process.send_signal(signal.SIGUSR1)
    while not path.exists():
        time.sleep(0.05)
    counted: dict[str, int] = json.loads(path.read_text(encoding="utf-8"))
    return counted


def _size(server: Server) -> Size:
    process = Path(f"/proc/{server.process.pid}")
    pages = int((process / "statm").read_text(encoding="ascii").split()[1])
    return Size(pages * os.sysconf("SC_PAGE_SIZE") // 1024, len(list((process / "fd").iterdir())))


def _processor(server: Server) -> float:
    """Seconds of processor time that the program has taken (as Linux tells it)."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _ms(seconds: list[float]) -> str:
    return f"p50 {_at(seconds, 0.5) * 1e3:.1f} ms, p95 {_at(seconds, 0.95) * 1e3:.1f} ms"


def _at(seconds: list[float], share: float) -> float:
    return sorted(seconds)[int(len(seconds) * share)]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
