"""Drafts for tests, in one line each."""

from datetime import date

from guardrails.text import content_words, words
from records.access import PUBLIC
from records.models import Kind, Record, RecordText
from records.publishing import publish
from records.search import Query, Reading, search


def draft(slug="leaks", body="", kind=Kind.CASE_STUDY, texts=None, **facts):
    """Write (or rewrite) a record's draft; `texts` maps languages to bodies."""
    record, _ = Record.objects.update_or_create(slug=slug, defaults={"kind": kind, **facts})
    for language, text in (texts or {"en": body}).items():
        values = {"title": f"{slug} in {language}", "summary": "", "body": text}
        RecordText.objects.update_or_create(record=record, language=language, defaults=values)
    return record


def published(slug="leaks", body="", **more):
    """Publish such a draft and return its first live version."""
    record = draft(slug, body, **more)
    publish(record)
    return record.versions.filter(retired_at=None).order_by("language").first()


def reading(text, language="en", vector=None):
    return Reading(
        content_words=tuple(content_words(text, language)),
        words=tuple(word.text for word in words(text, language)),
        vector=vector,
    )


def ask(text, viewer=PUBLIC, k=8, language="en", vector=None):
    """Search as a turn does."""
    return search(Query(floor=(reading(text, language, vector),), language=language), viewer, k)


def records_of(found):
    return [hit.record for hit in found.hits]


def day(text):
    return date.fromisoformat(text)
