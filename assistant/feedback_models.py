"""What visitors say of an answer."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

MAX_COMMENT = 1_000  # characters


class Feedback(models.Model):
    """One visitor's word on one answer; sent again, it takes the place of the first. Goes with its turn."""

    class Verdict(models.TextChoices):
        UP = "up", _("Helpful")
        DOWN = "down", _("Not helpful")

    turn = models.OneToOneField("assistant.Turn", on_delete=models.CASCADE, related_name="feedback")
    verdict = models.CharField(_("verdict"), max_length=4, choices=Verdict, blank=True)
    comment = models.CharField(max_length=MAX_COMMENT, blank=True)
    reported = models.BooleanField(
        _("reported"), default=False, db_index=True, help_text=_("Reported as wrong or harmful.")
    )
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)
    changed_at = models.DateTimeField(auto_now=True)
    handled_at = models.DateTimeField(null=True, blank=True)
    handled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        verbose_name = _("feedback")
        verbose_name_plural = _("feedback")

    def __str__(self) -> str:
        return f"{self.verdict or 'comment'} on {self.turn_id}"
