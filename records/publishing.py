"""Making drafts public, and taking them back. Each call is one transaction: when it returns, the new text answers
by keyword and the old text no longer answers at all. Vectors follow, made by the worker.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Literal

from django.contrib.auth.models import User
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from guardrails.characters import all_speakable
from records import indexing, personal_values, tasks
from records.chunking import Document, read
from records.models import IngestionStep, OutboxEvent, Passage, Record, RecordText, RecordVersion

FACTS = (
    "start",
    "start_precision",
    "end",
    "end_precision",
    "current",
    "access",
    "group_id",
    "authority",
    "decided_by",
    "valid_from",
    "valid_to",
)
WORDING = ("title", "summary", "body", "relations")

Pending = Literal["new", "changed", "gone"]


@transaction.atomic
def publish(record: Record, by: User | None = None) -> list[RecordVersion]:
    """Publish what the draft says now and return the versions made: one a language in which something changed.

    A language that the draft no longer has is withdrawn. Publishing an unchanged draft does nothing.
    """
    record = Record.objects.select_for_update().get(pk=record.pk)
    drafts = {draft.language: draft for draft in record.texts.all()}
    live = {version.language: version for version in record.versions.filter(retired_at=None)}
    _retire([version for language, version in live.items() if language not in drafts], OutboxEvent.Topic.WITHDRAWN)
    now = timezone.now()  # one moment: what is published together is none older than the other
    made = [
        _replace(live.get(draft.language), draft, document, checksum, by, now)
        for draft, document, checksum in _changed(record, drafts, live)
    ]
    if made:
        transaction.on_commit(lambda: tasks.announce(version.pk for version in made))
    return made


def pending(record: Record) -> dict[str, Pending]:
    """Return what publishing would do now, by language; where it would do nothing, the language is left out."""
    drafts = {draft.language: draft for draft in record.texts.all()}
    live = {version.language: version for version in record.versions.filter(retired_at=None)}
    gone: dict[str, Pending] = dict.fromkeys(sorted(live.keys() - drafts.keys()), "gone")
    changed = [draft.language for draft, _document, _sum in _changed(record, drafts, live)]
    return gone | {language: "changed" if language in live else "new" for language in changed}


def drafted(record: Record) -> list[tuple[RecordText, Document]]:
    """Return the drafts that publishing would make versions of, as they are read."""
    live = {version.language: version for version in record.versions.filter(retired_at=None)}
    drafts = {draft.language: draft for draft in record.texts.all()}
    return [(draft, document) for draft, document, _sum in _changed(record, drafts, live)]


@transaction.atomic
def withdraw(record: Record) -> list[RecordVersion]:
    """Take a record out of the site in all languages. Its text still opens from old citations."""
    live = list(Record.objects.select_for_update().get(pk=record.pk).versions.filter(retired_at=None))
    _retire(live, OutboxEvent.Topic.WITHDRAWN)
    return live


@transaction.atomic
def revoke(record: Record) -> list[RecordVersion]:
    """Withdraw a record and empty everything that was ever published of it; the ids stay."""
    withdraw(record)
    versions = list(record.versions.filter(revoked_at=None))
    indexing.forget_vectors(versions)
    now = timezone.now()
    for version in versions:
        version.title = version.summary = version.body = version.text = version.decided_by = ""
        version.fields, version.relations, version.revoked_at = {}, [], now
        version.save()
        version.placements.update(section_path=[])
    Passage.objects.filter(record=record).update(text="", words=[])
    _tell(versions, OutboxEvent.Topic.REVOKED)
    return versions


def _changed(
    record: Record, drafts: Mapping[str, RecordText], live: Mapping[str, RecordVersion]
) -> Iterator[tuple[RecordText, Document, str]]:
    """The drafts that say something else than what is live, as they are read, and their checksums."""
    for language, draft in sorted(drafts.items()):
        document = read(draft.body or draft.summary, record.slug, language)
        checksum = _checksum(record, draft, document)
        before = live.get(language)
        if before is None or (before.checksum, before.group_id) != (checksum, record.group_id):
            yield draft, document, checksum


def _replace(
    old: RecordVersion | None, draft: RecordText, document: Document, checksum: str, by: User | None, now: datetime
) -> RecordVersion:
    """Make a version and put it into search in the place of the old one."""
    record = draft.record
    known = indexing.take_out([old] if old else [])
    if old:
        old.retired_at = now
        old.save(update_fields=["retired_at"])
    last = record.versions.filter(language=draft.language).aggregate(last=Max("number"))["last"]
    version = RecordVersion.objects.create(
        record=record,
        language=draft.language,
        number=(last or 0) + 1,
        text=document.text,
        checksum=checksum,
        published_by=by,
        published_at=now,
        **_content(record, draft),
    )
    indexing.put_in(version, document, known)
    personal_values.note(version)
    IngestionStep.objects.bulk_create(
        [
            IngestionStep(version=version, step=IngestionStep.Step.PASSAGES, state=IngestionStep.State.DONE),
            IngestionStep(version=version, step=IngestionStep.Step.EMBEDDINGS),
        ]
    )
    _tell([version], OutboxEvent.Topic.PUBLISHED)
    return version


def _retire(versions: list[RecordVersion], topic: OutboxEvent.Topic) -> None:
    indexing.take_out(versions)
    personal_values.forget(versions)
    for version in versions:
        version.retired_at = timezone.now()
        version.save(update_fields=["retired_at"])
    _tell(versions, topic)


def _tell(versions: Iterable[RecordVersion], topic: OutboxEvent.Topic) -> None:
    OutboxEvent.objects.bulk_create(OutboxEvent(topic=topic, version=version) for version in versions)


def _checksum(record: Record, draft: RecordText, document: Document) -> str:
    """Covers all that a version keeps, its plain text too: a better reading of the Markdown is a new version.

    A group counts by its name, so that equal content has equal checksums in every database.
    """
    content = {**_content(record, draft), "text": document.text}
    content["group_id"] = record.group.name if record.group else None
    return hashlib.sha256(json.dumps(content, cls=DjangoJSONEncoder, sort_keys=True).encode()).hexdigest()


def _content(record: Record, draft: RecordText) -> dict[str, Any]:
    """What a version takes over: the record's facts, in the draft's wording."""
    facts = {name: getattr(record, name) for name in FACTS}
    wording = {name: getattr(draft, name) for name in WORDING}
    return all_speakable({**facts, **wording, "fields": record.fields | draft.fields})  # type: ignore[no-any-return]
