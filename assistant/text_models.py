"""The owner's own wording of the fixed texts."""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from guardrails import voice
from guardrails.plain import plain

MAX_TEXT = 600  # characters; the longest default has 300
_JOINERS = "\u200c\u200d"  # Persian and Hindi write with them


class FixedText(models.Model):
    """One refusal or notice in one language; without a text the default is shown."""

    name = models.CharField(_("name"), max_length=20, editable=False)
    language = models.CharField(_("language"), max_length=5, choices=settings.LANGUAGES, editable=False)
    text = models.TextField(
        _("your wording"),
        max_length=MAX_TEXT,  # of the form's field; a model checks it by the validator alone
        validators=[MaxLengthValidator(MAX_TEXT)],
        blank=True,
        help_text=_("Plain text; what looks like a mark-up is shown as it is typed. Leave it empty for the default."),
    )
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("changed by"),
        null=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    changed_at = models.DateTimeField(_("changed at"), auto_now=True)

    class Meta:
        verbose_name = _("fixed text")
        verbose_name_plural = _("fixed texts")
        constraints = [models.UniqueConstraint(fields=["name", "language"], name="one_text_a_language")]
        ordering = ["name", "language"]

    def __str__(self) -> str:
        return f"{self.name} ({self.language})"

    def clean(self) -> None:
        """Refuse characters that turn or hide what follows, and a text that speaks as the owner."""
        self.text = " ".join(self.text.split())
        if not all(character.isprintable() or character in _JOINERS for character in self.text):
            raise ValidationError({"text": gettext("There is a character in it that cannot be seen.")})
        if found := voice.first_person(self.text, plain(self.text), self.language, lambda: self.text, ()):
            told = gettext("It speaks in the first person (“%(word)s”), as no text of the assistant may.")
            raise ValidationError({"text": told % {"word": found}})
