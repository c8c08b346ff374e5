"""A form field for what is kept per language, `{"en": …, "fa": …}`: one input a language, none of them required."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import get_language_info

_LANGUAGES = dict(settings.LANGUAGES)


class PerLanguageWidget(forms.MultiWidget):
    """The inputs, each with the language's name as its label, written in the language's direction."""

    template_name = "admin/records/per_language.html"
    use_fieldset = True

    def __init__(self, field: forms.Field) -> None:
        self.field = field
        super().__init__({code: type(field.widget)(_attributes(field, code)) for code in _LANGUAGES})

    def decompress(self, value: Any) -> list[Any]:
        said = value if isinstance(value, dict) else {}
        return [self.field.prepare_value(said.get(code)) for code in _LANGUAGES]

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        context = super().get_context(name, value, attrs)
        inputs: Sequence[Any] = context["widget"]["subwidgets"]
        context["widget"]["inputs"] = list(zip(_LANGUAGES.values(), inputs, strict=True))
        return context


class PerLanguageField(forms.MultiValueField):
    """Gives a dictionary of what was typed; languages without a word are left out of it."""

    def __init__(self, field: forms.Field, **options: Any) -> None:
        fields = [field] * len(_LANGUAGES)
        super().__init__(fields, required=False, require_all_fields=False, widget=PerLanguageWidget(field), **options)

    def compress(self, data_list: Any) -> dict[str, Any]:
        return {code: said for code, said in zip(_LANGUAGES, data_list or [], strict=False) if said}


def _attributes(field: forms.Field, code: str) -> dict[str, Any]:
    direction = "rtl" if get_language_info(code)["bidi"] else "ltr"
    return {**field.widget.attrs, "lang": code, "dir": direction}
