"""The form of a record: what it says in every language. A kind's own fields are fields like any other."""

from datetime import date
from typing import Any, ClassVar

from django import forms
from django.contrib.auth.models import Group
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from records.admin.bases import FormOfRecord
from records.admin.fields import PartialDateField
from records.admin.kind_inputs import PREFIX, field, merged, typed
from records.dates import PartialDate
from records.drafts import original_language
from records.kind_fields import KIND_FIELDS, KindField
from records.models import Access, DatePrecision, Kind, Record
from records.roles import ROLES


class DayInput(forms.DateInput):
    """The browser's own date picker."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class RecordForm(FormOfRecord):
    """What a record says in every language."""

    kind: ClassVar[Kind]
    from_date = PartialDateField(
        label=_("From"),
        help_text=_("2021, 2021-03 or 2021-03-05: as far as it is known. An article: the day it appeared."),
    )
    to_date = PartialDateField(label=_("Until"), help_text=_("The same way; empty while it goes on."))

    class Meta:
        model = Record
        fields = ("slug", "original", "current", "access", "group", "authority", "decided_by", "valid_from", "valid_to")
        labels = {
            "slug": _("Short name in addresses"),
            "original": _("Original language"),
            "current": _("It goes on, or still holds"),
            "access": _("Who may read it"),
            "group": _("Group"),
            "authority": _("Authority"),
            "decided_by": _("Who decides on what it says"),
            "valid_from": _("Valid from"),
            "valid_to": _("Valid until"),
        }
        help_texts = {
            "slug": _("Latin letters, digits and hyphens; once published it stays."),
            "original": _("The language that it is written in first; the others are its translations."),
            "current": _("Answers say “currently” only of what is marked so."),
            "access": _("Public: everybody. Restricted: signed-in members of the group. Private: you and your staff."),
            "group": _("Who reads it when access is restricted."),
            "authority": _("Where two records disagree, the higher number governs."),
            "decided_by": _("Shown where sources disagree: a name, an office, a document."),
            "valid_from": "",
            "valid_to": _("After this day it serves as history, and says so."),
        }
        widgets = {"valid_from": DayInput, "valid_to": DayInput}

    def __init__(self, *args: Any, **options: Any) -> None:
        record = options.get("instance")
        if record is not None:
            dates = {
                "from_date": _partial(record.start, record.start_precision),
                "to_date": _partial(record.end, record.end_precision),
            }
            original = original_language(record, record.texts.all()) if record.pk else ""
            options["initial"] = {
                "original": original,
                **dates,
                **typed(record.fields),
                **(options.get("initial") or {}),
            }
        super().__init__(*args, **options)
        if "group" in self.fields:
            # Roles say who edits; who reads what is restricted is another matter.
            self.fields["group"].queryset = Group.objects.exclude(name__in=ROLES)  # type: ignore[attr-defined]  # of a model choice
        for known in KIND_FIELDS[self.kind]:
            _offer_stored(self, known)

    def clean(self) -> dict[str, Any]:
        """Check what depends on two fields, and hand over what is no column of its own."""
        given = super().clean() or self.cleaned_data
        start, end = given.get("from_date"), given.get("to_date")
        if end and not start and "from_date" not in self.errors:
            self.add_error("from_date", _("Say from when, too."))
        if start and end and _last(end) < start.day.isoformat():
            self.add_error("to_date", _("It ends before it begins."))
        if end and given.get("current") and _last(end) < timezone.localdate().isoformat():
            self.add_error("current", _("What has ended does not go on: take out the end, or this mark."))
        if given.get("access") == Access.RESTRICTED and not given.get("group"):
            self.add_error("group", _("Say which group may read it."))
        if (since := given.get("valid_from")) and (until := given.get("valid_to")) and until < since:
            self.add_error("valid_to", _("It ends before it begins."))
        record = self.instance
        record.start, record.start_precision = (start.day, start.precision) if start else (None, "")
        record.end, record.end_precision = (end.day, end.precision) if end else (None, "")
        record.fields = merged(self.kind, record.fields, given)
        if given.get("access") != Access.RESTRICTED:
            given["group"] = None
        return given


def record_form(kind: Kind) -> type[RecordForm]:
    """Return the form of a kind's records."""
    fields = {PREFIX + known.key: field(known) for known in KIND_FIELDS[kind]}
    return type(f"{kind.name}Form", (RecordForm,), {"kind": kind, **fields})


def _offer_stored(form: RecordForm, known: KindField) -> None:
    """A code that another program wrote can be kept."""
    field, stored = form.fields.get(PREFIX + known.key), form.initial.get(PREFIX + known.key)
    if isinstance(field, forms.ChoiceField) and stored and stored not in known.choices:
        field.choices = [*field.choices, (stored, stored)]  # type: ignore[misc]  # choices without groups


def _partial(day: date | None, precision: str) -> PartialDate | None:
    return PartialDate(day, DatePrecision(precision or DatePrecision.DAY)) if day else None


def _last(end: PartialDate) -> str:
    """The end as it is written, so that 2020 does not end before 2020-05 began."""
    return f"{end}-12-31"[:10] if end.precision == DatePrecision.YEAR else f"{end}-31"[:10]
