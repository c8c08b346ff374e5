"""What an importer reads, whatever it reads from: entries to take in, and what it left out and why.

An importer yields these and touches no database; `taking_in` makes records of them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from records.dates import PartialDate
from records.models import Access, Kind


class Unreadable(ValueError):
    """A file or an address can't be read; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a record says of itself in every language."""

    start: PartialDate | None = None
    end: PartialDate | None = None
    current: bool = False
    access: str = Access.PUBLIC
    group: str = ""
    authority: int = 0
    decided_by: str = ""
    valid_from: date | None = None
    valid_to: date | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One text of one record. `origin` is its name within the import and stays the same from run to run.

    Entries with the same `key` are translations of one record.
    """

    origin: str
    key: str
    slug: str
    kind: Kind
    language: str
    title: str
    summary: str = ""
    body: str = ""
    facts: Facts = Facts()
    fields: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def original(translations: Iterable[Entry]) -> Entry:
    """Which of a record's texts its short name, kind and facts are taken from: the English one, else the first."""
    return min(translations, key=lambda entry: (entry.language != "en", entry.language))


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something that is not taken in. `bad`: it should have been, so what an earlier run took from it stays.

    Then `origin` stands for all names below it, too: which item of a list can't be read is not known.
    """

    origin: str
    reason: str
    bad: bool = False
