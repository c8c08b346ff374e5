"""The demo site: loads the files of `demo/` as drafts and publishes them. A second load changes nothing."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.contrib.auth.models import Group
from django.db import transaction

from records.importing import front_matter
from records.importing.taking_in import set_facts
from records.markdown import blocks
from records.models import Owner, Record, RecordText, RecordVersion
from records.publishing import publish

FOLDER = Path(__file__).parent / "demo"
MEMBERS = "Members"  # the group that reads what the demo restricts


@dataclass(frozen=True, slots=True)
class Page:
    """One file: a record in one language. `superseded`: an earlier text, `slug.v1.md`."""

    path: Path
    slug: str
    kind: str
    language: str
    head: front_matter.Head
    superseded: bool

    @property
    def body(self) -> str:
        """Its text without the head."""
        return self.head.body.strip()

    @property
    def headings(self) -> list[str]:
        """Its headings in their order: in every language of a record they are the same ones."""
        return [block.lines[0] for block in blocks(self.body) if block.kind == "heading"]


def load(folder: Path = FOLDER) -> list[RecordVersion]:
    """Load owner and records, publish them and return the versions that this made.

    Raises ValueError where a file lacks its head, or its headings are not those of the original.
    """
    _load_owner(folder)
    relations = tomllib.loads((folder / "relations.toml").read_text(encoding="utf-8"))["relation"]
    pages = list(_pages(folder))
    Group.objects.get_or_create(name=MEMBERS)
    return [
        version
        for slug in sorted({page.slug for page in pages})
        for version in _load_record(
            [page for page in pages if page.slug == slug], [item for item in relations if item["record"] == slug]
        )
    ]


@transaction.atomic
def _load_record(pages: list[Page], relations: list[dict[str, str]]) -> list[RecordVersion]:
    """Publish a record; the first time, the earlier texts go before those that supersede them."""
    earlier = [page for page in pages if page.superseded]
    record, _ = Record.objects.get_or_create(slug=pages[0].slug, defaults={"kind": pages[0].kind})
    made: list[RecordVersion] = []
    if earlier and not record.versions.exists():
        _write(record, earlier, [])
        made += publish(record)
    _write(record, [page for page in pages if not page.superseded], relations)
    return made + publish(record)


def _write(record: Record, pages: list[Page], relations: list[dict[str, str]]) -> None:
    original = min(pages, key=lambda page: (page.language != "en", page.language))
    set_facts(record, original.head.facts(), original.head.fields())
    record.save()
    for page in [original, *(page for page in pages if page is not original)]:
        if len(page.headings) != len(original.headings):
            raise ValueError(f"{page.path} has other headings than {original.path}")
        own = dict(zip(original.headings, page.headings, strict=True))
        RecordText.objects.update_or_create(
            record=record,
            language=page.language,
            defaults={
                "title": page.head.text("title"),
                "summary": page.head.text(*front_matter.SUMMARY),
                "body": page.body,
                "fields": {} if page is original else page.head.fields(),
                "relations": [
                    {"section": own[item["section"]], "needs": own[item["needs"]], "kind": item["kind"]}
                    for item in relations
                ],
            },
        )


def _pages(folder: Path) -> Iterator[Page]:
    """The files of every language, `xx/kind/slug.md`."""
    for path in sorted(folder.glob("*/*/*.md")):
        head = front_matter.read(path.read_text(encoding="utf-8"))
        if not head.values:
            raise ValueError(f"{path} lacks its head")
        language, kind = path.parts[-3:-1]
        slug, _, version = path.stem.partition(".")
        yield Page(path, slug, kind, language, head, bool(version))


def _load_owner(folder: Path) -> None:
    owner = tomllib.loads((folder / "owner.toml").read_text(encoding="utf-8"))
    questions = tomllib.loads((folder / "questions.toml").read_text(encoding="utf-8"))
    kept = ("name", "aliases", "names", "pronouns", "tagline", "contact", "domains", "allowed")
    values = {name: owner[name] for name in kept}
    values["questions"] = {language: table["questions"] for language, table in questions.items()}
    Owner.objects.update_or_create(pk=1, defaults=values)
