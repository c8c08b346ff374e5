"""What is public, as a JSON Resume. Highlights and skills are lists in a record's body, and become lists again."""

import re
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any

from django.conf import settings
from django.utils.translation import gettext, override

from records.access import PUBLIC
from records.dates import PartialDate
from records.importing.resume_sections import SECTIONS, Section
from records.markdown import blocks
from records.models import DatePrecision, Kind, Owner, RecordVersion
from records.selectors import RecordView, by_kind

_SCHEMA = "https://raw.githubusercontent.com/jsonresume/resume-schema/v1.0.0/schema.json"
# As `json_resume` writes a skill: name, level, keywords.
_LINE = re.compile(r"- (?P<name>[^():]+)(?: \((?P<level>[^()]*)\))?(?:: (?P<keywords>.+))?")


def write(language: str) -> dict[str, Any]:
    """What is public, as a résumé in the best language that each record has; the body's prose is no part of one."""
    owner = Owner.objects.first()
    basics = {
        "name": owner.name_in(language) if owner else "",
        "label": str(owner.tagline.get(language, "")) if owner else "",
        "url": settings.TRAVA.SITE_URL,
    }
    views = {kind: by_kind(kind, language, PUBLIC) for kind in (Kind.CV, Kind.ARTICLE, Kind.CASE_STUDY)}
    versions = RecordVersion.objects.in_bulk([view.version for same in views.values() for view in same])
    bodies = {pk: version.body for pk, version in versions.items()}
    sections = {
        name: [_item(section, view, bodies[view.version]) for view in views[section.kind] if _belongs(view, section)]
        for name, section in SECTIONS.items()
    }
    lists = [(view, bodies[view.version]) for view in views[Kind.CV] if view.fields.get("type") == "skills"]
    return {"$schema": _SCHEMA, "basics": basics, **sections, **_lists(lists)}


def _belongs(view: RecordView, section: Section) -> bool:
    return not section.type or view.fields.get("type") == section.type


def _item(section: Section, view: RecordView, body: str) -> dict[str, Any]:
    item = {
        section.side: view.fields.get(section.side_field),
        section.thing: view.fields.get("role", view.title) if section.type else view.title,
        section.start: _written(view.start, view.start_precision),
        section.end: _written(view.end, view.end_precision),
        "location": view.fields.get("place"),
        section.summary: view.summary,
        "highlights": [text.removeprefix("- ") for _, text in _listed(body)] if section.highlights else [],
        "keywords": view.fields.get("technologies"),
        "courses": view.fields.get("courses"),
        "url": f"{settings.TRAVA.SITE_URL}/{view.language}/{view.kind}/{view.record}/",
    }
    return {name: value for name, value in item.items() if name and value}


def _lists(records: Iterable[tuple[RecordView, str]]) -> dict[str, list[dict[str, Any]]]:
    """Skills and languages; what stands below a heading of that name are languages."""
    skills: list[dict[str, Any]] = []
    languages: list[dict[str, Any]] = []
    for view, body in records:
        with override(view.language):
            of_languages = gettext("Languages")
        for heading, text in _listed(body):
            found = _LINE.fullmatch(text)
            name, level = (found["name"], found["level"]) if found else (text.removeprefix("- "), None)
            keywords = found["keywords"].split(", ") if found and found["keywords"] else None
            if heading == of_languages:
                languages.append({"language": name, **({"fluency": level} if level else {})})
            else:
                item = {"name": name, "level": level, "keywords": keywords}
                skills.append({key: value for key, value in item.items() if value})
    return {"skills": skills, "languages": languages}


def _listed(body: str) -> Iterator[tuple[str, str]]:
    """The items of a body's lists, each with the heading above it."""
    heading = ""
    for block in blocks(body):
        if block.kind == "heading":
            heading = block.lines[0]
        elif block.kind == "prose":
            yield from ((heading, line) for line in block.lines if line.startswith("- "))


def _written(day: date | None, precision: str) -> str:
    return str(PartialDate(day, DatePrecision(precision))) if day else ""
