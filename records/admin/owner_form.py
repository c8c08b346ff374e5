"""The owner's profile as a form: lists are typed one a line, and what each language says has an input of its own."""

from urllib.parse import urlsplit

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from records.admin.bases import FormOfOwner
from records.admin.fields import CommaField, LinesField
from records.admin.per_language import PerLanguageField
from records.models import Owner


class OwnerForm(FormOfOwner):
    """All of the owner."""

    names = PerLanguageField(
        forms.CharField(max_length=200, required=False),
        label=gettext_lazy("Name as each language writes it"),
        help_text=gettext_lazy("Where none is given, the name above."),
    )
    aliases = LinesField(
        label=gettext_lazy("Other names"),
        help_text=gettext_lazy("By which visitors may ask: first name, firm, other spellings. One a line."),
    )
    pronouns = PerLanguageField(
        CommaField(max_length=200),
        label=gettext_lazy("Pronouns"),
        help_text=gettext_lazy(
            "With commas between them: she, her, hers. Questions that say “she” are then about the owner."
        ),
    )
    tagline = PerLanguageField(
        forms.CharField(max_length=300, required=False),
        label=gettext_lazy("Tagline"),
        help_text=gettext_lazy("One line about the work, at the top of the site."),
    )
    contact = PerLanguageField(
        forms.CharField(max_length=5000, required=False, widget=forms.Textarea(attrs={"rows": 4})),
        label=gettext_lazy("Contact"),
        help_text=gettext_lazy("How to reach the owner. Markdown."),
    )
    questions = PerLanguageField(
        LinesField(rows=6),
        label=gettext_lazy("Suggested questions"),
        help_text=gettext_lazy("One a line. Suggest what the published records answer."),
    )
    domains = LinesField(
        label=gettext_lazy("Domains"),
        help_text=gettext_lazy("Domains that answers may link to, one a line. None: whatever stands in the source."),
    )
    allowed = LinesField(
        label=gettext_lazy("Personal data"),
        help_text=gettext_lazy("Personal data that answers may show, one value a line."),
    )

    class Meta:
        model = Owner
        fields = "__all__"  # only the owner's own desk uses it
        labels = {"name": gettext_lazy("Name")}

    def clean_domains(self) -> list[str]:
        """Keep the host of what was pasted: a domain with its scheme or a path would let no link pass."""
        listed = []
        for entry in self.cleaned_data["domains"]:
            try:
                host = urlsplit(entry if "//" in entry else f"//{entry}").hostname
            except ValueError:
                host = None
            if not host or "." not in host:
                raise forms.ValidationError(_("“%(entry)s” is no domain: write it as example.org.") % {"entry": entry})
            listed.append(host)
        return list(dict.fromkeys(listed))
