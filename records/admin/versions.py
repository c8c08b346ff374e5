"""A record's versions: who published what and when, and what differs between any two, or a version and the draft."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from records import conventions
from records.admin.bases import AdminOfRecord
from records.admin.reader import reader_language
from records.differences import Piece, compare
from records.drafts import CODES, original_language
from records.kind_fields import shown
from records.models import Kind, Record, RecordText, RecordVersion

DRAFT = "draft"
_FACTS: Mapping[str, Promise] = {
    "current": gettext_lazy("It goes on, or still holds"),
    "access": gettext_lazy("Who may read it"),
    "group": gettext_lazy("Group"),
    "authority": gettext_lazy("Authority"),
    "decided_by": gettext_lazy("Who decides on what it says"),
    "valid_from": gettext_lazy("Valid from"),
    "valid_to": gettext_lazy("Valid until"),
}


@dataclass(frozen=True, slots=True)
class Difference:
    """One part of a text that is not the same on both sides. `prose`: written in the text's own language."""

    name: str
    prose: bool
    pieces: list[Piece]


def parts(record: Record, language: str, side: RecordText | RecordVersion) -> dict[str, tuple[bool, str]]:
    """Return all that a version says or a draft would say, by name: whether it is prose, and the text."""
    facts: Record | RecordVersion = side if isinstance(side, RecordVersion) else record
    fields = facts.fields if isinstance(side, RecordVersion) else record.fields | side.fields
    said = {_("Title"): (True, side.title), _("Summary"): (True, side.summary)}
    said |= {str(name): (True, value) for name, value in shown(Kind(record.kind), fields).items()}
    said[_("When")] = (False, conventions.period(facts, language))
    said |= {str(name): (False, _fact(getattr(facts, key))) for key, name in _FACTS.items()}
    relations = "\n".join(f"{one['kind']}: {one['section']} → {one['needs']}" for one in side.relations)
    said[_("Sections that need another")] = (True, relations)
    said[_("Text")] = (True, side.body)
    return said


def differences(old: dict[str, tuple[bool, str]], new: dict[str, tuple[bool, str]]) -> Iterator[Difference]:
    """Yield what differs, in the order of the new text; what only the old one has comes last."""
    for name in [*new, *(name for name in old if name not in new)]:
        (was_prose, before), (is_prose, after) = old.get(name, (False, "")), new.get(name, (False, ""))
        if before != after:
            yield Difference(name, was_prose or is_prose, compare(before, after))


def _fact(value: Any) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return "" if value is None else str(value)


class Versions(AdminOfRecord):
    """The page of a record's versions in one language, with a comparison of two of them."""

    def versions_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """`?language=`, and `?old=` and `?new=`: a version's number, or `draft`."""
        record = self.get_object(request, str(pk))
        if not self.has_view_permission(request, record):
            raise PermissionDenied
        if record is None:
            raise Http404
        languages = sorted(set(record.versions.order_by().values_list("language", flat=True)), key=CODES.index)
        language = request.GET.get("language", "")
        if language not in CODES:
            original = original_language(record, record.texts.all())
            language = original if original in languages or not languages else languages[0]
        versions = list(record.versions.filter(language=language).select_related("published_by", "group"))
        sides: dict[str, RecordText | RecordVersion] = {str(version.number): version for version in versions}
        if draft := record.texts.filter(language=language).first():
            sides = {DRAFT: draft, **sides}
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("Versions"),
            "record": record,
            "languages": languages,
            "language": language,
            "versions": versions,
            "sides": list(sides),
            **self._compared(request, record, sides),
        }
        return TemplateResponse(request, "admin/records/versions.html", context)

    def _compared(
        self, request: HttpRequest, record: Record, sides: dict[str, RecordText | RecordVersion]
    ) -> dict[str, Any]:
        """What was asked to be compared; unasked, what is published last with the draft."""
        names = list(sides)
        new = request.GET.get("new", names[0] if names else "")
        old = request.GET.get("old", next((name for name in names if name not in (DRAFT, new)), ""))
        if old not in sides or new not in sides:
            return {"old": old, "new": new, "compared": False}
        told = [parts(record, reader_language(), sides[name]) for name in (old, new)]
        return {"old": old, "new": new, "compared": True, "differences": list(differences(*told))}
