"""The form of a record's text in one language; its inputs are written in that language's direction."""

from typing import Any, ClassVar

from django import forms
from django.utils.translation import get_language_info
from django.utils.translation import gettext_lazy as _

from records.admin.bases import FormOfText
from records.admin.fields import RelationsField
from records.admin.kind_inputs import PREFIX, field, merged, typed
from records.kind_fields import KIND_FIELDS
from records.models import Kind, Record, RecordText


class TextForm(FormOfText):
    """The draft in one language. `checked` tells that nothing is to be changed after a change of the original."""

    kind: ClassVar[Kind]
    relations = RelationsField(
        rows=2,
        label=_("Sections that need another"),
        help_text=_("One a line: “caveat: Results → Caveats”. Then what limits a section travels with it."),
    )
    checked = forms.BooleanField(required=False, label=_("This translation already says what the original says now"))

    class Meta:
        model = RecordText
        fields = ("language", "title", "summary", "body", "relations")
        labels = {
            "language": _("Language"),
            "title": _("Title"),
            "summary": _("Summary"),
            "body": _("Text"),
        }
        help_texts = {"summary": _("One or two sentences for lists."), "body": _("Markdown.")}
        widgets = {
            "title": forms.TextInput,
            "summary": forms.Textarea(attrs={"rows": 3}),
            "body": forms.Textarea(attrs={"rows": 24}),
        }

    def __init__(self, *args: Any, record: Record | None = None, original: str = "", **options: Any) -> None:
        text = options.get("instance")
        own = text.fields if text is not None else {}
        options["initial"] = {**typed(own), **(options.get("initial") or {})}
        super().__init__(*args, **options)
        language = (text and text.language) or (
            self.initial.get("language") if record is not None and record.pk else ""
        )
        self.code = language
        self.is_original = not language or language == original
        if record is not None and record.pk:
            self.fields["language"].widget = forms.HiddenInput()
        for name in ("title", "summary", "body", "relations", *self._own_fields()):
            if language:
                attributes = {"lang": language, "dir": "rtl" if get_language_info(language)["bidi"] else "ltr"}
                self.fields[name].widget.attrs.update(attributes)
        for name in self._own_fields():
            if self.is_original and not own:
                del self.fields[name]
            elif record is not None:
                self.fields[name].widget.attrs["placeholder"] = _placeholder(
                    record.fields.get(name.removeprefix(PREFIX))
                )
        if self.is_original or text is None:
            del self.fields["checked"]

    def _own_fields(self) -> list[str]:
        return [name for name in self.fields if name.startswith(PREFIX)]

    def own_fields(self) -> list[forms.BoundField]:
        """Return the kind's fields as this language words them."""
        return [self[name] for name in self._own_fields()]

    def clean(self) -> dict[str, Any]:
        """Hand over the kind's fields."""
        given = super().clean() or self.cleaned_data
        if self._own_fields():
            self.instance.fields = merged(self.kind, self.instance.fields, given)
        return given


def text_form(kind: Kind) -> type[TextForm]:
    """Return the form of their texts; a field that holds a code is no text."""
    fields = {PREFIX + known.key: field(known) for known in KIND_FIELDS[kind] if not known.choices}
    return type(f"{kind.name}TextForm", (TextForm,), {"kind": kind, **fields})


def _placeholder(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value or "")
