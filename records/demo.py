"""The demo site: loads the files of `demo/` as drafts and publishes them. A second load changes nothing."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from django.contrib.auth.models import Group
from django.db import transaction

from records.dates import PartialDate
from records.markdown import blocks
from records.models import Access, Owner, Record, RecordText, RecordVersion
from records.publishing import publish

FOLDER = Path(__file__).parent / "demo"
MEMBERS = "Members"  # the group that reads what the demo restricts
_FILE = re.compile(r"\+\+\+\n(?P<head>.*?)\n\+\+\+\n(?P<body>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Page:
    """One file: a record in one language."""

    slug: str
    kind: str
    language: str
    head: dict[str, Any]
    body: str
    superseded: bool


def load(folder: Path = FOLDER) -> list[RecordVersion]:
    """Load owner and records, publish them and return the versions that this made."""
    _load_owner(folder)
    relations = tomllib.loads((folder / "relations.toml").read_text(encoding="utf-8"))["relation"]
    pages = list(_pages(folder))
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
    for name, value in _facts(original.head).items():
        setattr(record, name, value)
    record.save()
    headings = _headings(original.body)
    for page in pages:
        own = dict(zip(headings, _headings(page.body), strict=False))
        RecordText.objects.update_or_create(
            record=record,
            language=page.language,
            defaults={
                "title": page.head["title"],
                "summary": page.head["summary"],
                "body": page.body,
                "fields": {} if page is original else page.head.get("fields", {}),
                "relations": [
                    {"section": own[item["section"]], "needs": own[item["needs"]], "kind": item["kind"]}
                    for item in relations
                ],
            },
        )


def _facts(head: dict[str, Any]) -> dict[str, Any]:
    start, end = (PartialDate.read(head[name]) if head.get(name) else None for name in ("start", "end"))
    valid = {name: date.fromisoformat(head[name]) if head.get(name) else None for name in ("valid_from", "valid_to")}
    restricted = head["access"] == Access.RESTRICTED
    return {
        "start": start and start.day,
        "start_precision": start.precision if start else "",
        "end": end and end.day,
        "end_precision": end.precision if end else "",
        "current": head["current"],
        "access": head["access"],
        "group": Group.objects.get_or_create(name=MEMBERS)[0] if restricted else None,
        "authority": head["authority"],
        "decided_by": head["decided_by"],
        "fields": head.get("fields", {}),
        **valid,
    }


def _pages(folder: Path) -> Iterator[Page]:
    for path in sorted(folder.glob("*/*/*.md")):
        match = _FILE.fullmatch(path.read_text(encoding="utf-8"))
        if not match:
            raise ValueError(f"{path} lacks its head between two lines of +++")
        language, kind = path.parts[-3:-1]
        slug, _, version = path.stem.partition(".")
        yield Page(slug, kind, language, tomllib.loads(match["head"]), match["body"].strip(), bool(version))


def _headings(body: str) -> list[str]:
    return [block.lines[0] for block in blocks(body) if block.kind == "heading"]


def _load_owner(folder: Path) -> None:
    owner = tomllib.loads((folder / "owner.toml").read_text(encoding="utf-8"))
    questions = tomllib.loads((folder / "questions.toml").read_text(encoding="utf-8"))
    kept = ("name", "aliases", "names", "pronouns", "tagline", "contact", "domains", "allowed")
    values = {name: owner[name] for name in kept}
    values["questions"] = {language: table["questions"] for language, table in questions.items()}
    Owner.objects.update_or_create(pk=1, defaults=values)
