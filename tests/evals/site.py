"""A site small enough to know by heart, and golden sets about it."""

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from evals.asking import Asker
from evals.report import Report, Suite
from records.models import Owner, Record, RecordText
from records.publishing import publish

GAUGES = (
    "The tide gauge at Holm Quay reports the water level every six minutes. "
    "Its battery lasted 412 days in the winter of 2021. "
    "The mast was repaired by the harbour crew after the storm."
)
BUOYS = "Buoy nine of the desalination survey drifted 400 metres while its anchor chain was being replaced."


def build() -> None:
    """An owner, two jobs, a public article and a private one."""
    Owner.objects.create(pk=1, name="Livia Aramesh", aliases=["Livia"])
    _job("harbour", date(2019, 3, 1), "Engineer, Harbour Board", current=True)
    _job("works", date(2015, 1, 1), "Trainee, City Works")
    _article("gauge", "A tide gauge in winter", GAUGES)
    _article("survey", "A survey in the bay", BUOYS, access="private")


def _job(slug: str, start: date, title: str, *, current: bool = False) -> None:
    record = Record.objects.create(
        kind="cv", slug=slug, start=start, start_precision="month", current=current,
        fields={"organisation": title.split(", ")[1], "role": title.split(", ")[0], "type": "job"},
    )  # fmt: skip
    RecordText.objects.create(record=record, language="en", title=title, body="Tends the machines.")
    publish(record)


def _article(slug: str, title: str, body: str, access: str = "public") -> None:
    record = Record.objects.create(
        kind="article", slug=slug, start=date(2022, 1, 1), start_precision="year", access=access
    )
    RecordText.objects.create(record=record, language="en", title=title, body=body)
    publish(record)


def write_cases(folder: Path, suite: str, cases: Sequence[dict[str, Any]], language: str = "en") -> None:
    """A golden file, its cases numbered."""
    (folder / language).mkdir(exist_ok=True)
    lines = (json.dumps({"id": f"{language}-{number}", **case}) for number, case in enumerate(cases, start=1))
    (folder / language / f"{suite}.jsonl").write_text("\n".join(lines), encoding="utf-8")


async def report(suite: Suite) -> Report:
    """What the suite finds here."""
    owner = await Owner.objects.afirst()
    return await suite.run(Asker(owner), "en")
