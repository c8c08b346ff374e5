"""Shared by the tests of the embedding side: cosine, and a record published from two lines."""

from datetime import date

from metering.embedders import Vector, embedder
from records.models import Kind, Record, RecordText, RecordVersion
from records.publishing import publish


def dot(one: Vector, other: Vector) -> float:
    """Cosine of vectors of length 1."""
    return sum(a * b for a, b in zip(one, other, strict=True))


def published(slug: str, body: str, title: str = "Bread") -> RecordVersion:
    """Publish (again) an English article."""
    record, _ = Record.objects.get_or_create(slug=slug, defaults={"kind": Kind.ARTICLE, "start": date(2024, 5, 1)})
    RecordText.objects.update_or_create(record=record, language="en", defaults={"title": title, "body": body})
    publish(record)
    return record.versions.get(retired_at=None)


def embedder_name() -> str:
    made = embedder()
    assert made is not None
    return made.name
