"""A kind's own fields as fields of a form, and back; what has no form field stays as it is stored."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from records.admin.fields import LinesField
from records.kind_fields import KIND_FIELDS, KindField
from records.models import Kind

PREFIX = "field_"  # before the key of a kind's field, so that none meets a column's name


def field(known: KindField) -> forms.Field:
    """Return the form field of a kind's field."""
    if known.choices:
        return forms.ChoiceField(required=False, label=known.name, choices=[("", "–"), *known.choices.items()])
    if known.many:
        return LinesField(label=known.name, help_text=_("One a line."))
    return forms.CharField(required=False, max_length=500, label=known.name, widget=forms.TextInput)


def typed(fields: dict[str, Any]) -> dict[str, Any]:
    """Return stored fields as initial values of a form."""
    return {PREFIX + key: value for key, value in fields.items()}


def merged(kind: Kind, stored: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """Return what is stored, with what was typed in its place."""
    merged = dict(stored)
    for known in KIND_FIELDS[kind]:
        name = PREFIX + known.key
        if name in given:
            merged[known.key] = given[name]
    return {key: value for key, value in merged.items() if value}
