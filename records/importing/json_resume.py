"""JSON Resume (jsonresume.org, schema 1.0.0): read into records, and written from what is public.

Contact data, profiles and references stay out: the first two are the owner's profile, the last another's words.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.conf import settings
from django.utils.text import slugify

from records.access import PUBLIC
from records.dates import PartialDate
from records.importing.entries import Entry, Facts, LeftOut, Unreadable
from records.models import DatePrecision, Kind, Owner
from records.selectors import RecordView, by_kind

Item = Mapping[str, Any]
_SCHEMA = "https://raw.githubusercontent.com/jsonresume/resume-schema/v1.0.0/schema.json"
_NOT_TAKEN = {
    "basics": "name and contact are kept in the owner's profile",
    "references": "they are another person's words",
    "interests": "they say nothing of the work",
}


@dataclass(frozen=True, slots=True)
class _Section:
    """Which record an item becomes, and the names under which the schema keeps what it says."""

    kind: Kind
    type: str
    side: str
    thing: str
    start: str
    end: str = ""

    @property
    def summary(self) -> str:
        return "description" if self.kind == Kind.CASE_STUDY else "summary"

    @property
    def side_field(self) -> str:
        return "client" if self.kind == Kind.CASE_STUDY else "organisation"


_SECTIONS = {
    "work": _Section(Kind.CV, "job", "name", "position", "startDate", "endDate"),
    "volunteer": _Section(Kind.CV, "volunteering", "organization", "position", "startDate", "endDate"),
    "education": _Section(Kind.CV, "education", "institution", "studyType", "startDate", "endDate"),
    "awards": _Section(Kind.CV, "award", "awarder", "title", "date"),
    "certificates": _Section(Kind.CV, "certificate", "issuer", "name", "date"),
    "publications": _Section(Kind.ARTICLE, "", "publisher", "name", "releaseDate"),
    "projects": _Section(Kind.CASE_STUDY, "", "entity", "name", "startDate", "endDate"),
}


def read(text: str, language: str) -> Iterator[Entry | LeftOut]:
    """Every item of a résumé; raises Unreadable."""
    try:
        resume = json.loads(text)
    except ValueError as error:
        raise Unreadable(f"it is no JSON: {error}") from error
    if not isinstance(resume, dict) or not any(section in resume for section in ("basics", *_SECTIONS, "skills")):
        raise Unreadable("it is no JSON Resume: none of its sections is there")
    for section in _SECTIONS:
        yield from _section(section, resume.get(section) or [], language)
    if skills := resume.get("skills"):
        yield _skills(skills, resume.get("languages") or [], language)
    for section, reason in _NOT_TAKEN.items():
        if resume.get(section):
            yield LeftOut(section, reason)


def _section(name: str, items: Any, language: str) -> Iterator[Entry | LeftOut]:
    if not isinstance(items, list):
        yield LeftOut(name, "it must be a list", bad=True)
        return
    seen: set[str] = set()
    for item in items:
        try:
            entry = _entry(name, item, language)
        except Unreadable as error:
            yield LeftOut(name, str(error), bad=True)
            continue
        # Told by what it says and not by its place: a new job on top of the list moves none of the others.
        yield LeftOut(entry.origin, "it stands there twice") if entry.slug in seen else entry
        seen.add(entry.slug)


def _entry(name: str, item: Any, language: str) -> Entry:
    section = _SECTIONS[name]
    if not isinstance(item, dict):
        raise Unreadable("an item must be a table of names and values")
    role = " in ".join(filter(None, (_text(item, section.thing), _text(item, "area"))))
    title = ", ".join(filter(None, (role, _text(item, section.side))))
    if not title:
        raise Unreadable(f"an item has neither {section.side} nor {section.thing}")
    start, end = _date(item, section.start), _date(item, section.end)
    slug = slugify(f"{title} {start or ''}")[:100].strip("-") or f"{name}-{title.encode().hex()[:40]}"
    fields = {section.side_field: _text(item, section.side), "place": _text(item, "location")}
    if section.type:
        fields |= {"role": role, "type": section.type}
    lists = {"technologies": _texts(item.get("keywords")), "courses": _texts(item.get("courses"))}
    return Entry(
        origin=f"{name}/{slug}",
        key=slug,
        slug=slug,
        kind=section.kind,
        language=language,
        title=title[:300],
        summary=_text(item, section.summary),
        body=_body(item),
        facts=Facts(start=start, end=end, current=bool(section.end and start and not end)),
        fields={name: value for name, value in (fields | lists).items() if value},
    )


def _body(item: Item) -> str:
    parts = [_text(item, "summary"), _text(item, "description")]
    highlights = "\n".join(f"- {text}" for text in _texts(item.get("highlights")))
    return "\n\n".join(filter(None, (*dict.fromkeys(parts), highlights)))


def _skills(skills: Any, languages: Any, language: str) -> Entry | LeftOut:
    """All skills and languages as one record: they are a list, not a history."""
    lines = [line for item in _tables(skills) if (line := _named(item, "name", "level", "keywords"))]
    spoken = [line for item in _tables(languages) if (line := _named(item, "language", "fluency", ""))]
    if not lines:
        return LeftOut("skills", "no skill has a name", bad=True)
    body = "\n".join(f"- {line}" for line in lines)
    if spoken:
        body += "\n\n## Languages\n\n" + "\n".join(f"- {line}" for line in spoken)
    return Entry("skills", "skills", "skills", Kind.CV, language, "Skills", body=body, fields={"type": "skills"})


def _named(item: Item, name: str, level: str, keywords: str) -> str:
    if not _text(item, name):
        return ""
    of_level = f" ({_text(item, level)})" if _text(item, level) else ""
    listed = f": {', '.join(_texts(item.get(keywords)))}" if _texts(item.get(keywords)) else ""
    return f"{_text(item, name)}{of_level}{listed}"


def _date(item: Item, name: str) -> PartialDate | None:
    written = _text(item, name) if name else ""
    try:
        return PartialDate.read(written[:10]) if written else None
    except ValueError as error:
        raise Unreadable(str(error)) from error


def _text(item: Item, name: str) -> str:
    value = item.get(name)
    return " ".join(value.split()) if isinstance(value, str) else ""


def _texts(value: Any) -> list[str]:
    return [" ".join(text.split()) for text in value if isinstance(text, str)] if isinstance(value, list) else []


def _tables(value: Any) -> list[Item]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def write(language: str) -> dict[str, Any]:
    """What is public, as a résumé in the best language that each record has; the body's prose is no part of one."""
    owner = Owner.objects.first()
    basics = {
        "name": owner.name_in(language) if owner else "",
        "label": str(owner.tagline.get(language, "")) if owner else "",
        "url": settings.TRAVA.SITE_URL,
    }
    sections = {
        name: [_item(section, view) for view in by_kind(section.kind, language, PUBLIC) if _belongs(view, section)]
        for name, section in _SECTIONS.items()
    }
    return {"$schema": _SCHEMA, "basics": basics, **sections}


def _belongs(view: RecordView, section: _Section) -> bool:
    return not section.type or view.fields.get("type") == section.type


def _item(section: _Section, view: RecordView) -> dict[str, Any]:
    item = {
        section.side: view.fields.get(section.side_field),
        section.thing: view.fields.get("role", view.title) if section.type else view.title,
        section.start: _written(view.start, view.start_precision),
        section.end: _written(view.end, view.end_precision),
        "location": view.fields.get("place"),
        section.summary: view.summary,
        "keywords": view.fields.get("technologies"),
        "courses": view.fields.get("courses"),
        "url": f"{settings.TRAVA.SITE_URL}/{view.language}/{view.kind}/{view.record}/",
    }
    return {name: value for name, value in item.items() if name and value}


def _written(day: date | None, precision: str) -> str:
    return str(PartialDate(day, DatePrecision(precision))) if day else ""
