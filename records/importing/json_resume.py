"""JSON Resume (jsonresume.org, schema 1.0.0): read into records.

Contact data, profiles and references stay out: the first two are the owner's profile, the last another's words.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext, override, pgettext

from records.dates import PartialDate
from records.importing.entries import Entry, Facts, LeftOut, Unreadable
from records.importing.resume_sections import SECTIONS
from records.importing.short_names import short_name
from records.models import Kind

Item = Mapping[str, Any]
_NOT_TAKEN = {
    "basics": "name and contact are kept in the owner's profile",
    "references": "they are another person's words",
    "interests": "they say nothing of the work",
}
_TAKEN = {"area", "location", "summary", "description", "highlights", "keywords", "courses"}


def read(text: str, language: str) -> Iterator[Entry | LeftOut]:
    """Every item of a résumé; raises Unreadable."""
    try:
        resume = json.loads(text)
    except ValueError as error:
        raise Unreadable(f"it is no JSON: {error}") from error
    if not isinstance(resume, dict) or not any(
        section in resume for section in ("basics", *SECTIONS, "skills", "languages")
    ):
        raise Unreadable("it is no JSON Resume: none of its sections is there")
    for section in SECTIONS:
        yield from _section(section, resume.get(section) or [], language)
    if resume.get("skills") or resume.get("languages"):
        yield _skills(resume.get("skills") or [], resume.get("languages") or [], language)
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
    section = SECTIONS[name]
    if not isinstance(item, dict):
        raise Unreadable("an item must be a table of names and values")
    role, side = " in ".join(filter(None, (_text(item, section.thing), _text(item, "area")))), _text(item, section.side)
    whole = ", ".join(filter(None, (role, side)))
    if not whole:
        raise Unreadable(f"an item has neither {section.side} nor {section.thing}")
    start, end = _date(item, section.start), _date(item, section.end)
    slug = short_name(f"{whole} {start or ''}", name)
    fields = {section.side_field: side, "place": _text(item, "location")}
    if section.type:
        fields |= {"role": role, "type": section.type}
    lists = {"technologies": _texts(item, "keywords"), "courses": _texts(item, "courses")}
    taken = _TAKEN | {section.thing, section.side, section.start, section.end}
    others = sorted(str(key) for key, value in item.items() if value and key not in taken)
    return Entry(
        origin=f"{name}/{slug}",
        key=slug,
        slug=slug,
        kind=section.kind,
        language=language,
        title=(whole if section.type else role or side)[:300],
        summary=_text(item, section.summary),
        body=_body(item),
        facts=Facts(start=start, end=end, current=bool(section.end and start and not end)),
        fields={name: value for name, value in (fields | lists).items() if value},
        notes=(f"without {', '.join(others)}",) if others else (),
    )


def _body(item: Item) -> str:
    parts = [_text(item, "summary"), _text(item, "description")]
    highlights = "\n".join(f"- {text}" for text in _texts(item, "highlights"))
    return "\n\n".join(filter(None, (*dict.fromkeys(parts), highlights)))


def _skills(skills: Any, languages: Any, language: str) -> Entry | LeftOut:
    """All skills and languages as one record: they are a list, not a history."""
    try:
        lines = [line for item in _tables(skills) if (line := _named(item, "name", "level", "keywords"))]
        spoken = [line for item in _tables(languages) if (line := _named(item, "language", "fluency", ""))]
    except Unreadable as error:
        return LeftOut("skills", str(error), bad=True)
    if not (lines or spoken):
        return LeftOut("skills", "no skill and no language has a name", bad=True)
    with override(language):
        title, of_languages = pgettext("a list in a résumé", "Skills"), gettext("Languages")
    body = "\n".join(f"- {line}" for line in lines)
    if spoken:
        body = f"{body}\n\n## {of_languages}\n\n".lstrip() + "\n".join(f"- {line}" for line in spoken)
    slug = f"skills-{language}"  # the résumé in another language has a list of its own
    return Entry("skills", slug, slug, Kind.CV, language, title, body=body, fields={"type": "skills"})


def _named(item: Item, name: str, level: str, keywords: str) -> str:
    if not _text(item, name):
        return ""
    of_level = f" ({_text(item, level)})" if _text(item, level) else ""
    listed = f": {', '.join(_texts(item, keywords))}" if _texts(item, keywords) else ""
    return f"{_text(item, name)}{of_level}{listed}"


def _date(item: Item, name: str) -> PartialDate | None:
    written = _text(item, name) if name else ""
    try:
        return PartialDate.read(written[:10]) if written else None
    except ValueError as error:
        raise Unreadable(str(error)) from error


def _text(item: Item, name: str) -> str:
    value = item.get(name) or ""
    if not isinstance(value, str):
        raise Unreadable(f"{name} must be text, not {value!r}")
    return " ".join(value.split())


def _texts(item: Item, name: str) -> list[str]:
    value = item.get(name) or []
    if not (isinstance(value, list) and all(isinstance(text, str) for text in value)):
        raise Unreadable(f"{name} must be a list of texts, not {value!r}")
    return [" ".join(text.split()) for text in value]


def _tables(value: Any) -> list[Item]:
    if not (isinstance(value, list) and all(isinstance(item, dict) for item in value)):
        raise Unreadable("skills and languages must be lists of tables")
    return value
