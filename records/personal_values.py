"""Personal data in what is published: found with each publication, and decided on by the owner.

Nothing is changed or held back here. What answers do with such a value is the latch's policy; here the owner is told
that it stands there, and lists it as allowed or dismisses it.
"""

from collections.abc import Iterable, Iterator, Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from guardrails.leak import is_allowed
from guardrails.personal_data import Found, find
from records.models import Owner, PersonalValue, Record, RecordVersion
from records.personal_data import VALIDATORS


def note(version: RecordVersion) -> None:
    """Store what stands in a new version; what no longer does is forgotten, what was dismissed stays so."""
    found: dict[str, tuple[str, list[str]]] = {}
    for place, text in _texts(version):
        for each in find(text, VALIDATORS):
            _, places = found.setdefault(text[each.start : each.end], (each.kind, []))
            where = place or _heading(version, each)
            places += [where] if where not in places else []
    known = PersonalValue.objects.filter(record=version.record, language=version.language)
    known.exclude(value__in=found).delete()
    PersonalValue.objects.bulk_create(
        (
            PersonalValue(record_id=version.record_id, language=version.language, kind=kind, value=value, places=places)
            for value, (kind, places) in found.items()
        ),
        update_conflicts=True,
        unique_fields=["record", "language", "value"],
        update_fields=["kind", "places"],
    )


def forget(versions: Iterable[RecordVersion]) -> None:
    """Delete what was found in versions that are taken back."""
    for version in versions:
        PersonalValue.objects.filter(record=version.record_id, language=version.language).delete()


def undecided(record: Record, allowed: Sequence[str] | None = None) -> list[PersonalValue]:
    """Return what the owner has neither listed nor dismissed; who asks for many records brings what is listed."""
    waiting = [found for found in record.personal_values.all() if found.dismissed_at is None]
    if not waiting:
        return []
    if allowed is None:
        owner = Owner.objects.first()
        allowed = owner.allowed if owner else ()
    return [found for found in waiting if not is_allowed(found.value, allowed)]


@transaction.atomic
def allow(found: PersonalValue) -> None:
    """List the value among what answers may show; raises Owner.DoesNotExist where nobody owns the site yet."""
    owner = Owner.objects.select_for_update().get()
    if not is_allowed(found.value, owner.allowed):
        owner.allowed = [*owner.allowed, found.value]
        owner.save(update_fields=["allowed"])


def dismiss(found: PersonalValue, by: User | None) -> None:
    """Ask no more about the value; in answers it stays what the policy makes of it."""
    found.dismissed_at, found.dismissed_by = timezone.now(), by
    found.save(update_fields=["dismissed_at", "dismissed_by"])


def _texts(version: RecordVersion) -> Iterator[tuple[str, str]]:
    """All that an answer can quote of a version, by field; the text itself without a name."""
    yield "title", version.title
    yield "summary", version.summary
    yield "", version.text
    yield "decided by", version.decided_by
    for name, value in version.fields.items():
        yield name, str(value)


def _heading(version: RecordVersion, found: Found) -> str:
    placement = version.placements.filter(start__lte=found.start, end__gt=found.start).first()
    return " › ".join(placement.section_path) if placement and placement.section_path else "text"
