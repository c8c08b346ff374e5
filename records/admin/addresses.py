"""Where things are in the admin: each kind of records has pages of its own."""

from typing import Any

from django.urls import reverse

from records.models import Article, CaseStudy, CVEntry, Kind, Record, Service

_MODELS = {model.KIND: model.__name__.lower() for model in (CVEntry, CaseStudy, Article, Service)}


def page(record: Record, name: str, *args: Any) -> str:
    """Return the address of one of a record's pages: `change`, `publish`, `versions` and so on."""
    return reverse(f"admin:records_{_MODELS[Kind(record.kind)]}_{name}", args=[record.pk, *args])
