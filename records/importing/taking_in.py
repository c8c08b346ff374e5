"""Makes records of what an importer read, once and again: only what changed is written, what is gone is withdrawn.

Nothing of the owner's is lost: a record kept by hand is not touched, a text edited since the last run is not
overwritten, and what an earlier run took from a file that can't be read now stays.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal

from django.contrib.auth.models import Group
from django.core.serializers.json import DjangoJSONEncoder
from django.db import DataError, transaction
from django.utils import timezone

from guardrails.characters import all_speakable, speakable
from records.importing.entries import Entry, Facts, LeftOut, original
from records.models import Access, ImportedText, ImportSource, Record, RecordText
from records.publishing import FACTS, publish, withdraw

What = Literal["new", "changed", "unchanged", "kept", "left out", "bad", "withdrawn"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one text, and why."""

    origin: str
    what: What
    why: str = ""


def take_in(location: str, items: Iterable[Entry | LeftOut], report: Callable[[Outcome], None]) -> None:
    """Take in everything that an importer yields, each record in a transaction of its own."""
    items = list(items)
    source, _ = ImportSource.objects.get_or_create(location=location)
    for left_out in items:
        if isinstance(left_out, LeftOut):
            report(Outcome(left_out.origin, "bad" if left_out.bad else "left out", left_out.reason))
    entries = sorted((item for item in items if isinstance(item, Entry)), key=lambda entry: (entry.key, entry.origin))
    taken: dict[tuple[str, str], Entry] = {}
    for _, same in groupby(entries, key=lambda entry: entry.key):
        for outcome in _taken(source, list(same), taken):
            report(outcome)
    present = {item.origin for item in items if isinstance(item, Entry)}
    for outcome in _remove(source, present, {item.origin for item in items if isinstance(item, LeftOut) and item.bad}):
        report(outcome)
    source.last_run_at = timezone.now()
    source.save(update_fields=["last_run_at"])


class NotMoved(Exception):
    """What was said to have moved is no import, or the other place is one already; the text says what to do."""


def move(former: str, location: str) -> None:
    """Remember a source at another location, so that its records are found again; raises NotMoved."""
    source = ImportSource.objects.filter(location=former).first()
    if source is None:
        known = ImportSource.objects.filter(texts__isnull=False).order_by("location").distinct()
        raise NotMoved(f"nothing was imported from {former}; imports so far: {', '.join(map(str, known)) or 'none'}")
    there = ImportSource.objects.filter(location=location).first()
    if there and there.texts.exists():
        raise NotMoved(f"{location} has records of its own; import it without --moved-from")
    if there:
        there.delete()
    source.location = location
    source.save(update_fields=["location"])


def _taken(source: ImportSource, entries: list[Entry], taken: dict[tuple[str, str], Entry]) -> list[Outcome]:
    """Take in the texts of one record. `taken`: what this run has taken already, by slug and language."""
    slug = original(entries).slug
    if other := next((taken[at] for entry in entries if (at := (slug, entry.language)) in taken), None):
        why = f"{other.origin} has the same short name {slug!r}: give one of the two another slug"
        return [Outcome(entry.origin, "bad", why) for entry in entries]
    twice: list[Outcome] = []
    by_language: dict[str, Entry] = {}
    for entry in entries:
        if first := by_language.get(entry.language):
            twice.append(Outcome(entry.origin, "bad", f"{first.origin} is the same text in the same language"))
        else:
            by_language[entry.language] = taken[slug, entry.language] = entry
    try:
        return _take_record(source, list(by_language.values())) + twice
    except DataError as error:
        return [Outcome(entry.origin, "bad", f"the database takes no such value: {error}") for entry in entries]


@transaction.atomic
def _take_record(source: ImportSource, entries: list[Entry]) -> list[Outcome]:
    known = {text.origin: text for text in source.texts.filter(origin__in=[entry.origin for entry in entries])}
    first = original(entries)
    slug = next((text.record.slug for text in known.values()), first.slug)
    record = Record.objects.select_for_update().filter(slug=slug).first()
    if record and not record.imported.filter(source=source).exists():
        return [_not_ours(record, entry) for entry in entries]
    if first.facts.group and not Group.objects.filter(name=first.facts.group).exists():
        return [Outcome(entry.origin, "bad", f"there is no group {first.facts.group!r}") for entry in entries]
    was_withdrawn = record is not None and _withdrawn_by_hand(record)
    record = record or Record(slug=slug)
    facts = _write_facts(record, first, known)
    # The original is written first: what was written before its original counts as older than it.
    entries = [first, *(entry for entry in entries if entry is not first)]
    outcomes = [_write_text(source, record, entry, known.get(entry.origin), first, facts) for entry in entries]
    if was_withdrawn:
        return [_as_draft(outcome) for outcome in outcomes]
    if facts.changed or any(outcome.what in {"new", "changed"} for outcome in outcomes):
        publish(record)
    return outcomes


def _not_ours(record: Record, entry: Entry) -> Outcome:
    """What another import made is refused, and what was made by hand stays as it is."""
    theirs = record.imported.select_related("source").order_by("removed_at", "origin").first()
    if theirs is None:
        return Outcome(entry.origin, "kept", f"there is a record {record.slug!r} that was made here by hand")
    why = (
        f"the import of {theirs.source.location} made the record {record.slug!r} of {theirs.origin}: "
        "give one of the two another slug, or import both from one folder; "
        f"if it is the same source at another place, add --moved-from {theirs.source.location}"
    )
    return Outcome(entry.origin, "bad", why)


@dataclass(frozen=True, slots=True)
class _Facts:
    checksum: str
    changed: bool
    by_hand: bool


def _write_facts(record: Record, entry: Entry, known: dict[str, ImportedText]) -> _Facts:
    """Write dates, access and fields, unless they have been edited by hand since the last run."""
    before = _facts_checksum(record) if record.pk else ""
    if known and before not in {text.facts_checksum for text in known.values()}:
        return _Facts(before, changed=False, by_hand=True)
    record.kind = entry.kind
    set_facts(record, entry.facts, entry.fields)
    after = _facts_checksum(record)
    if after != before:
        record.save()
    return _Facts(after, changed=after != before, by_hand=False)


def set_facts(record: Record, facts: Facts, fields: Mapping[str, Any]) -> None:
    """Put what a text says of its record into the record's columns, unsaved. The group it names must exist."""
    record.start, record.start_precision = (facts.start.day, facts.start.precision) if facts.start else (None, "")
    record.end, record.end_precision = (facts.end.day, facts.end.precision) if facts.end else (None, "")
    record.current, record.access = facts.current, facts.access
    record.group = Group.objects.get(name=facts.group) if facts.access == Access.RESTRICTED and facts.group else None
    record.authority, record.decided_by = facts.authority, speakable(facts.decided_by)
    record.valid_from, record.valid_to = facts.valid_from, facts.valid_to
    record.fields = all_speakable(dict(fields))


def _write_text(
    source: ImportSource, record: Record, entry: Entry, known: ImportedText | None, first: Entry, facts: _Facts
) -> Outcome:
    wanted = all_speakable(
        {
            "title": entry.title,
            "summary": entry.summary,
            "body": entry.body,
            "fields": {} if entry is first else dict(entry.fields),
        }
    )
    text = RecordText.objects.filter(record=record, language=entry.language).first()
    checksum = _checksum(wanted)
    why = "; ".join((*entry.notes, *(["dates and fields stay as edited here"] if facts.by_hand else [])))
    if text and known and _text_checksum(text) != known.text_checksum:
        unchanged = known.text_checksum == checksum
        return Outcome(entry.origin, "kept", "it was edited here" + ("" if unchanged else ", and in the source too"))
    is_same = text is not None and _text_checksum(text) == checksum
    if not is_same:
        RecordText.objects.update_or_create(record=record, language=entry.language, defaults=wanted)
    values = {"record": record, "language": entry.language, "removed_at": None}
    checksums = {"text_checksum": checksum, "facts_checksum": facts.checksum}
    ImportedText.objects.update_or_create(source=source, origin=entry.origin, defaults=values | checksums)
    returned = known is None or known.removed_at is not None
    return Outcome(entry.origin, "new" if returned else "unchanged" if is_same else "changed", why)


def _withdrawn_by_hand(record: Record) -> bool:
    """Whether the owner took it off the site; what went because its files were gone comes back with them."""
    was_there = record.versions.exists() and not record.versions.filter(retired_at=None).exists()
    return was_there and record.imported.filter(removed_at=None).exists()


def _as_draft(outcome: Outcome) -> Outcome:
    if outcome.what not in {"new", "changed"}:
        return outcome
    return Outcome(outcome.origin, "kept", "its draft was written; the record was withdrawn here and stays so")


def _remove(source: ImportSource, present: set[str], bad: set[str]) -> Iterator[Outcome]:
    gone = source.texts.filter(removed_at=None).exclude(origin__in=present).select_related("record")
    for text in gone.order_by("origin"):
        if not any(text.origin == origin or text.origin.startswith(f"{origin}/") for origin in bad):
            yield _remove_text(text)


@transaction.atomic
def _remove_text(imported: ImportedText) -> Outcome:
    """Withdraw a text that the source has no more; as a draft the last of a record's texts stays."""
    imported.removed_at = timezone.now()
    imported.save(update_fields=["removed_at"])
    record, drafts = imported.record, RecordText.objects.filter(record=imported.record)
    if record.imported.filter(language=imported.language, removed_at=None).exists():
        return Outcome(imported.origin, "left out", "it has moved within the source")
    text = drafts.filter(language=imported.language).first()
    if text and _text_checksum(text) != imported.text_checksum:
        return Outcome(imported.origin, "kept", "the source has it no more, but it was edited here")
    if not drafts.exclude(language=imported.language).exists():
        withdraw(record)
        return Outcome(imported.origin, "withdrawn", "the source has it no more; its draft stays")
    if text:
        text.delete()
    if record.versions.filter(retired_at=None).exists():
        publish(record)
    return Outcome(imported.origin, "withdrawn", "the source has it no more")


def _facts_checksum(record: Record) -> str:
    return _checksum({"kind": record.kind, "fields": record.fields, **{name: getattr(record, name) for name in FACTS}})


def _text_checksum(text: RecordText) -> str:
    return _checksum({name: getattr(text, name) for name in ("title", "summary", "body", "fields")})


def _checksum(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, cls=DjangoJSONEncoder, sort_keys=True).encode()).hexdigest()
