"""What is put in front of a passage so that it can be found; it is never shown as evidence and never counted.

The embedded context is the title alone, so that a renamed heading, another date or another place in the text
embeds nothing anew. Keyword search also goes by headings, summary, fields and years.
"""

import hashlib
from collections.abc import Sequence
from typing import Any

from records.models import RecordVersion


def embedded_text(title: str, text: str) -> str:
    """Return what the embedder reads for a passage."""
    return f"{title}\n{text}"


def content_hash(title: str, text: str) -> str:
    """Return the key of a passage's raw vector: what is embedded alike has one vector."""
    return hashlib.sha256(embedded_text(title, text).encode()).hexdigest()


def keyword_context(version: RecordVersion, section_path: Sequence[str]) -> str:
    """Return the words around a passage that a question may use for it."""
    years = {str(day.year) for day in (version.start, version.end) if day}
    return "\n".join((version.title, version.summary, *section_path, *_texts(version.fields), *sorted(years)))


def _texts(value: Any) -> list[str]:
    """All strings in a JSON value; the names of fields are ours and no words of the owner's."""
    match value:
        case str():
            return [value]
        case dict():
            return [text for item in value.values() for text in _texts(item)]
        case list():
            return [text for item in value for text in _texts(item)]
        case _:
            return []
