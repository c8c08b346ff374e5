"""Personal data that was found in what is published, for the owner to decide on."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from records.models.record import Record

_KINDS = {
    "national_id": _("national id"),
    "card": _("payment card"),
    "iban": _("bank account"),
    "phone": _("phone number"),
    "email": _("e-mail address"),
}


class PersonalValue(models.Model):
    """One value in the live text of a record, and where it stands there.

    Whether it may be shown is not kept here but in `Owner.allowed`; dismissed, it waits for no decision any more.
    """

    record = models.ForeignKey(
        Record, verbose_name=_("record"), on_delete=models.CASCADE, related_name="personal_values"
    )
    language = models.CharField(_("language"), max_length=5, choices=settings.LANGUAGES)
    kind = models.CharField(_("kind"), max_length=11, choices=_KINDS)
    value = models.TextField(_("value"))
    places = ArrayField(
        models.TextField(), verbose_name=_("where"), help_text=_("Fields, or the headings above the text.")
    )
    found_at = models.DateTimeField(_("found on"), auto_now_add=True)
    dismissed_at = models.DateTimeField(_("dismissed on"), null=True, blank=True)
    dismissed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("dismissed by"), null=True, blank=True, on_delete=models.SET_NULL
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["record", "language", "value"], name="one_row_a_personal_value")]
        ordering = ["record", "language", "pk"]
        verbose_name = _("personal data")
        verbose_name_plural = _("personal data")

    def __str__(self) -> str:
        return f"{self.get_kind_display()} in {self.record.slug} ({self.language})"
