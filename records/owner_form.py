"""The owner's row as a form: lists of short texts are typed one a line, not as JSON."""

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from django import forms

from records.models import Owner

# The form's class takes its model as a type parameter in the stubs alone.
if TYPE_CHECKING:
    FormOfOwner = forms.ModelForm[Owner]
else:
    FormOfOwner = forms.ModelForm


class ListField(forms.CharField):
    """Takes and gives a list of strings; blank lines and repetitions are left out."""

    widget = forms.Textarea(attrs={"rows": 4})

    def prepare_value(self, value: Any) -> Any:
        """Show a list as lines; what was typed stays as it was typed."""
        return "\n".join(map(str, value)) if isinstance(value, list) else value

    def clean(self, value: Any) -> list[str]:
        lines = (line.strip() for line in super().clean(value).splitlines())
        return list(dict.fromkeys(line for line in lines if line))

    def has_changed(self, initial: Any, data: Any) -> bool:
        return self.clean(data) != (initial or [])


class OwnerForm(FormOfOwner):
    """All of the owner."""

    aliases = ListField(required=False, help_text="Other names, one a line.")
    domains = ListField(
        required=False, help_text="Domains that answers may link to, one a line. None: whatever stands in the source."
    )
    allowed = ListField(required=False, help_text="Personal data that answers may show, one value a line.")

    class Meta:
        model = Owner
        fields = "__all__"  # only the owner's own desk uses it

    def clean_domains(self) -> list[str]:
        """Keep the host of what was pasted: a domain with its scheme or a path would let no link pass."""
        listed = []
        for entry in self.cleaned_data["domains"]:
            try:
                host = urlsplit(entry if "//" in entry else f"//{entry}").hostname
            except ValueError:
                host = None
            if not host or "." not in host:
                raise forms.ValidationError(f"“{entry}” is no domain: write it as example.org.")
            listed.append(host)
        return list(dict.fromkeys(listed))
