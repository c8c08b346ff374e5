"""Kills the worker with -9 while a folder is imported, again and again, and compares with an undisturbed import.

By hand, with the lease that passes and the clock that sweeps: `python -m tests.records.kill_import 300 20`
(DATABASE_URL and REDIS_URL name the servers; it makes a database of its own there and drops it).
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import StringIO
from pathlib import Path
from typing import Any

import django
import psycopg
import psycopg.conninfo

from launcher.console import say

PATIENCE = 600.0  # seconds without any progress, on a busy machine
TITLES = ("Night flow", "Strain gauges", "Tide tables", "Queue lengths", "Set points")
SENTENCES = (
    "The logger in chamber {n} reports every six minutes.",
    "Its battery lasted {n} days in a mild winter.",
    "Valve {n} was found open and is shut now.",
    "The crew of depot {n} checks it by hand.",
)


def write_folder(folder: Path, files: int) -> None:
    """Write articles of two short sections; several share a passage with its title, and so a vector."""
    for number in range(files):
        parts = [sentence.format(n=number // 4) for sentence in SENTENCES]
        text = f"# Finding\n\n{parts[number % 4]}\n\n# Remedy\n\n{parts[(number + 1) % 4]}\n"
        head = f'+++\ntitle = "{TITLES[number // 4 % len(TITLES)]}"\nstart = "{2000 + number % 20}"\n+++\n'
        (folder / f"note-{number:03}.md").write_text(head + text, encoding="utf-8")


def dump() -> dict[str, list[Any]]:
    """Everything that an import makes, without row numbers and moments; lists, so that nothing is there twice."""
    from records import models

    version = ("record__slug", "language", "number")
    placed = (*(f"version__{name}" for name in version), "ordinal")
    entry = tuple(f"placement__{name}" for name in placed)
    tables = {
        "records": models.Record.objects.values_list("slug", "kind", "start", "start_precision", "access"),
        "drafts": models.RecordText.objects.values_list("record__slug", "language", "title", "body"),
        "versions": models.RecordVersion.objects.values_list(*version, "checksum", "text", "retired_at"),
        "passages": models.Passage.objects.values_list("uid", "record__slug", "language", "text", "words"),
        "placements": models.PassagePlacement.objects.values_list(*placed, "passage", "section_path", "start", "end"),
        "embeddings": models.PassageEmbedding.objects.values_list("embedder", "content_hash", "vector"),
        "entries": models.SearchEntry.objects.values_list(*entry, "content_hash", "lexemes", "vector", "access"),
        "spaces": models.EmbeddingSpace.objects.values_list("fingerprint", "active"),
        "steps": models.IngestionStep.objects.values_list(*(f"version__{name}" for name in version), "step", "state"),
        "news": models.OutboxEvent.objects.values_list("topic", *(f"version__{name}" for name in version)),
    }
    return {name: sorted(map(_plain, rows), key=repr) for name, rows in tables.items()}


def _plain(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(value.tolist() if hasattr(value, "tolist") else value for value in row)


def environment() -> dict[str, str]:
    """What a program needs to work on the database that this process works on."""
    from django.db import connections

    parts = connections["default"].settings_dict
    address = psycopg.conninfo.make_conninfo(
        host=parts["HOST"],
        port=parts["PORT"] or None,
        user=parts["USER"],
        password=parts["PASSWORD"],
        dbname=parts["NAME"],
    )
    return {**os.environ, "DATABASE_URL": address, "DJANGO_SETTINGS_MODULE": "config.settings"}


def undisturbed(folder: Path) -> dict[str, list[Any]]:
    """Import and embed in this process, and return what there is; everything is then taken away again."""
    from django.core.management import call_command

    from config.celery import app
    from records import ingestion

    call_command("import_content", str(folder), stdout=StringIO())
    ingestion.work(PATIENCE)
    found = dump()
    call_command("flush", interactive=False, verbosity=0)
    app.control.purge()
    return found


def killed(folder: Path, kills: int, chance: random.Random, *, hurry: bool) -> dict[str, list[Any]]:
    """Import while the worker is killed; then let one that lives finish it, and return what there is.

    In a hurry the leases of the dead end at once and a sweep is asked for, as two minutes later it would be.
    """
    from records.tasks import sweep

    share = len(list(folder.iterdir())) // (kills + 1)  # of the vectors, about one a file, until the next kill
    with _importer(folder) as importer:
        for _ in range(kills):
            wanted = _embedded() + chance.randint(1, share)
            with _worker(beat=not hurry) as worker:
                _wait(lambda wanted=wanted: _embedded() >= wanted or _all_done(), worker)
                time.sleep(chance.uniform(0, 0.5))
                _kill(worker)
            if hurry:
                _end_leases()
                sweep.delay()
        with _worker(beat=not hurry) as worker:
            assert importer.wait(PATIENCE) == 0
            if hurry:
                _end_leases()
                sweep.delay()
            _wait(_all_done, worker)
    return dump()


def differences(one: dict[str, list[Any]], other: dict[str, list[Any]]) -> list[str]:
    """The tables that are not equal, row for row, with how many rows each has."""
    return [f"{name}: {len(rows)} and {len(other[name])}" for name, rows in one.items() if rows != other[name]]


@contextmanager
def _importer(folder: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """The import in a process of its own, which outlives no failure of the comparison."""
    command = [sys.executable, "manage.py", "import_content", str(folder)]
    with subprocess.Popen(command, env=environment(), stdout=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def _worker(*, beat: bool) -> Iterator["subprocess.Popen[bytes]"]:
    """A worker as the launcher starts it, gone at the end."""
    command = [sys.executable, "-m", "celery", "-A", "config", "worker", "--pool", "threads", "--concurrency", "2"]
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [*command, *(["--beat"] if beat else [])],
            env=environment(),
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
        try:
            yield process
        finally:
            _kill(process)


def _kill(worker: "subprocess.Popen[bytes]") -> None:
    """End it at once, and the clock beside it, which would go on alone."""
    with suppress(ProcessLookupError):
        os.killpg(worker.pid, signal.SIGKILL)
    worker.wait(PATIENCE)


def _wait(condition: Callable[[], bool], worker: "subprocess.Popen[bytes]") -> None:
    end, embedded = time.monotonic() + PATIENCE, _embedded()
    while not condition():
        assert worker.poll() is None, "the worker ended by itself"
        assert time.monotonic() < end, "waited in vain"
        if (now := _embedded()) > embedded:
            end, embedded = time.monotonic() + PATIENCE, now
        time.sleep(0.05)


def _embedded() -> int:
    from records.models import PassageEmbedding

    return PassageEmbedding.objects.count()


def _all_done() -> bool:
    from records.models import ImportSource, IngestionStep

    steps = IngestionStep.objects
    return (
        ImportSource.objects.filter(last_run_at__isnull=False).exists()
        and steps.exists()
        and not steps.exclude(state=IngestionStep.State.DONE).exists()
    )


def _end_leases() -> None:
    from records.models import IngestionStep

    IngestionStep.objects.filter(state=IngestionStep.State.RUNNING).update(lease_until=None)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=int)
    parser.add_argument("kills", type=int)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    given = parser.parse_args()
    name = f"kill_import_{os.getpid()}"
    server = os.environ["DATABASE_URL"]
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    try:
        os.environ["DATABASE_URL"] = psycopg.conninfo.make_conninfo(server, dbname=name)
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
        return _compare(given.files, given.kills, given.seed)
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def _compare(files: int, kills: int, seed: int) -> int:
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    with tempfile.TemporaryDirectory() as folder:
        write_folder(Path(folder), files)
        began = time.monotonic()
        whole = undisturbed(Path(folder))
        rows = ", ".join(f"{len(rows)} {name}" for name, rows in whole.items())
        say(f"undisturbed: {time.monotonic() - began:.0f} s; {rows}")
        began = time.monotonic()
        found = killed(Path(folder), kills, random.Random(seed), hurry=False)
        say(f"killed {kills} times (seed {seed}): {time.monotonic() - began:.0f} s")
    different = differences(whole, found)
    say("different: " + "; ".join(different) if different else "nothing is different")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
