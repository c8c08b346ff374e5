"""Records by the name that the owner knows them by, and where the admin opens them."""

from collections.abc import Iterable
from dataclasses import dataclass

from records.admin.addresses import page
from records.admin.reader import reader_language
from records.drafts import original_language
from records.models import Record


@dataclass(frozen=True, slots=True)
class Named:
    """A record's title in the page's language, else in its original one; and the address of its page in the admin."""

    slug: str
    title: str
    address: str


def named(records: Iterable[Record]) -> dict[int, Named]:
    """Return the names of records by their keys (the texts should be fetched already)."""
    wanted = reader_language()
    return {record.pk: Named(record.slug, _title(record, wanted), page(record, "change")) for record in records}


def by_slug(slugs: Iterable[str]) -> dict[str, Named]:
    """Return the names of those that are still there."""
    found = Record.objects.filter(slug__in=set(slugs)).prefetch_related("texts")
    return {name.slug: name for name in named(found).values()}


def _title(record: Record, wanted: str) -> str:
    titles = {text.language: text.title for text in record.texts.all()}
    return titles.get(wanted) or titles.get(original_language(record, record.texts.all())) or record.slug
