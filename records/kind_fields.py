"""What only one kind of records has: the fields of each kind, their names, and those that hold several values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from django.utils.translation import gettext_lazy as _

from records.models import Kind

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

Text: TypeAlias = "str | _StrPromise"


@dataclass(frozen=True, slots=True)
class KindField:
    """One field. `many`: a list of texts. With `choices` it holds a code, which no translation words anew."""

    key: str
    name: Text
    many: bool = False
    choices: Mapping[str, Text] = field(default_factory=dict)


_TYPES = {
    "job": _("a position"),
    "education": _("a degree or a course"),
    "award": _("an award"),
    "volunteering": _("volunteering"),
    "certificate": _("a certificate"),
    "skills": _("a list of skills"),
}
_ORGANISATION = KindField("organisation", _("Organisation"))
_PLACE = KindField("place", _("Place"))
_TECHNOLOGIES = KindField("technologies", _("Technologies"), many=True)

KIND_FIELDS: Mapping[Kind, tuple[KindField, ...]] = {
    Kind.CV: (
        KindField("type", _("What it is"), choices=_TYPES),
        _ORGANISATION,
        KindField("role", _("Role")),
        _PLACE,
        _TECHNOLOGIES,
        KindField("courses", _("Courses"), many=True),
    ),
    Kind.CASE_STUDY: (
        KindField("client", _("Client")),
        KindField("sector", _("Sector")),
        _PLACE,
        _TECHNOLOGIES,
    ),
    Kind.ARTICLE: (
        KindField("topics", _("Topics"), many=True),
        _ORGANISATION,
    ),
    Kind.SERVICE: (
        KindField("deliverable", _("What you receive")),
        KindField("for_whom", _("For whom")),
        _PLACE,
    ),
}


_ALL = {known.key: known for own in KIND_FIELDS.values() for known in own}


def for_readers(kind: Kind, fields: Mapping[str, Any]) -> list[tuple[Text, list[str]]]:
    """Return what a page shows of a record's fields, the kind's own first: codes and unknown fields stay out.

    Each with its values, which are one where the field has no list.
    """
    own = [known.key for known in KIND_FIELDS[kind]]
    keys = [*own, *(key for key in _ALL if key not in own)]
    return [(_ALL[key].name, _values(fields[key])) for key in keys if fields.get(key) and not _ALL[key].choices]


def shown(kind: Kind, fields: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields that a record has as lines to read, by name; those without a name by their key."""
    known = {known.key: known for known in KIND_FIELDS[kind]}
    return {
        str(known[key].name) if key in known else key: _line(known.get(key), value)
        for key, value in fields.items()
        if value
    }


def _line(known: KindField | None, value: Any) -> str:
    if known and isinstance(value, str) and value in known.choices:
        return str(known.choices[value])
    return ", ".join(_values(value))


def _values(value: Any) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list) else [str(value)]
