"""Form fields for what the owner types as text: dates known in part, lists, and which section needs which."""

import re
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from records.dates import PartialDate
from records.models import PassageRelation

_COMMA = re.compile(r"[,،、，]")
_RELATION = re.compile(r"\s*(?P<kind>\w+)\s*:\s*(?P<section>.+?)\s*(?:→|->)\s*(?P<needs>.+?)\s*")


class PartialDateField(forms.CharField):
    """A date as far as it is known: 2021, 2021-03 or 2021-03-05. Gives a PartialDate, or None for nothing."""

    def __init__(self, **options: Any) -> None:
        widget = forms.TextInput(attrs={"class": "partial-date", "dir": "ltr", "size": 12, "autocomplete": "off"})
        super().__init__(**{"required": False, "max_length": 20, "widget": widget, **options})

    def clean(self, value: Any) -> PartialDate | None:
        written = super().clean(value)
        if not written:
            return None
        try:
            return PartialDate.read(written)
        except ValueError as error:
            message = _("“%(written)s” is no date: write 2021, 2021-03 or 2021-03-05, as far as it is known.")
            raise forms.ValidationError(message % {"written": written}) from error

    def has_changed(self, initial: Any, data: Any) -> bool:
        return str(initial or "") != str(data or "").strip()


class LinesField(forms.CharField):
    """Takes and gives a list of strings, one a line; blank lines and repetitions are left out."""

    def __init__(self, **options: Any) -> None:
        rows = options.pop("rows", 3)
        super().__init__(**{"required": False, "widget": forms.Textarea(attrs={"rows": rows}), **options})

    def prepare_value(self, value: Any) -> Any:
        """Show a list as lines; what was typed stays as it was typed."""
        return "\n".join(map(str, value)) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[str]:
        lines = (line.strip() for line in super().clean(value).splitlines())
        return list(dict.fromkeys(line for line in lines if line))

    def has_changed(self, initial: Any, data: Any) -> bool:
        """A list as it is stored, or as `prepare_value` wrote it."""
        before = self.clean(initial) if isinstance(initial, str) else initial or []
        return self.clean(data) != before


class CommaField(forms.CharField):
    """A list of short words on one line, with commas between them."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"required": False, **options})

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(map(str, value)) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[str]:
        words = (word.strip() for word in _COMMA.split(super().clean(value)))
        return list(dict.fromkeys(word for word in words if word))

    def has_changed(self, initial: Any, data: Any) -> bool:
        return self.clean(self.prepare_value(initial or "")) != self.clean(data)


class RelationsField(LinesField):
    """Which section needs which, one a line: `caveat: Results → Caveats`. Gives what `RecordText.relations` keeps."""

    def prepare_value(self, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        return "\n".join(f"{one['kind']}: {one['section']} → {one['needs']}" for one in value)

    def clean(self, value: Any) -> list[Any]:
        return [self._read(line) for line in super().clean(value)]

    def _read(self, line: str) -> dict[str, str]:
        match = _RELATION.fullmatch(line)
        if not match or match["kind"] not in PassageRelation.Kind.values:
            message = _(
                "“%(line)s” is not understood: write “caveat: Results → Caveats”; the first word is one of %(kinds)s."
            )
            raise forms.ValidationError(message % {"line": line, "kinds": ", ".join(PassageRelation.Kind.values)})
        return match.groupdict()

    def has_changed(self, initial: Any, data: Any) -> bool:
        return str(self.prepare_value(initial or [])) != str(data or "").replace("\r\n", "\n").strip()
