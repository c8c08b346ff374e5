"""What taking in a text costs beside the bare embedder, and that what did not change costs no embedding.

The demo's English case studies are imported into a database of its own, without the vectors that ship with them. The
embedder alone reads the same texts in the same run, before and after. Seconds on the clock and of this process.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.db import connection  # noqa: TID251  # makes and drops the database that is measured, counts statements

from bench import database
from metering.embedders import embedder
from metering.models import Charge
from records import embedding, ingestion, spaces
from records.context import embedded_text
from records.models import SearchEntry

FOLDER = Path(__file__).parents[1] / "records" / "demo" / "en" / "case-study"
HOURS = 3600.0


@dataclass(slots=True)
class Measure:
    """What one piece of work took."""

    clock: float = 0.0
    processor: float = 0.0
    statements: int = 0
    embedded: int = 0  # calls of the embedder, of up to `embedding.BATCH` passages

    def __str__(self) -> str:
        return (
            f"{self.clock:6.1f} s on the clock, {self.processor:6.1f} s of the processor, "
            f"{self.statements:5} statements, {self.embedded:3} calls of the embedder"
        )


def measure() -> None:
    """Prints every figure as it is known; needs a database server, whose test database it makes and drops."""
    shipped, embedding.DEMO = embedding.DEMO, Path("nothing ships with what is measured")
    try:
        with database.made_for_it():
            database.print_rows(_rows())
    finally:
        embedding.DEMO = shipped


def _rows() -> Iterator[tuple[str, object]]:
    used = embedder()
    if used is None:
        yield "ingestion", "nothing to measure with EMBEDDER=none"
        return
    spaces.prepare(used)
    imported = _measured(_import)
    yield "import: versions, passages, keywords", imported
    entries = SearchEntry.objects.select_related("placement__version", "placement__passage")
    texts = [embedded_text(entry.placement.version.title, entry.placement.passage.text) for entry in entries]
    before = _measured(lambda: used.passages(texts).result())
    yield f"the bare embedder, {len(texts)} passages", before
    taken = _measured(lambda: ingestion.work(HOURS))
    yield "ingestion, which embeds them", taken
    after = _measured(lambda: used.passages(texts).result())
    yield "the bare embedder once more", after
    bare = (before.processor + after.processor) / 2
    yield "ingestion against the bare embedder", f"{taken.processor / bare:.2f} times its processor time"
    yield "the same import again", _measured(_import)
    yield "ingest --all, nothing changed", _measured(lambda: call_command("ingest", "--all", stdout=StringIO()))
    missing = SearchEntry.objects.filter(vector=None).count()
    yield "passages without a vector at the end", missing


def _import() -> None:
    call_command("import_content", str(FOLDER), stdout=StringIO())


def _measured(work: Callable[[], Any]) -> Measure:
    taken = Measure()
    calls = Charge.objects.count()
    with _counting(taken):
        clock, processor = time.perf_counter(), time.process_time()
        work()
        taken.clock, taken.processor = time.perf_counter() - clock, time.process_time() - processor
    taken.embedded = Charge.objects.count() - calls
    return taken


@contextmanager
def _counting(taken: Measure) -> Iterator[None]:
    def count(execute: Callable[..., Any], *call: Any) -> Any:
        taken.statements += 1
        return execute(*call)

    with connection.execute_wrapper(count):
        yield
