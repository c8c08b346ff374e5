"""What the owner was told of, or could not be told of: failures of what runs by itself."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Alert(models.Model):
    """A failure that is open until `closed_at`; while it is, the same `key` raises no second one.

    `told_at` is set when a channel took the message. Until then it is tried again after `try_after`.
    """

    key = models.CharField(
        _("key"), max_length=100, help_text=_("Which failure of which flow, such as `ingestion:42`.")
    )
    text = models.CharField(_("what happened"), max_length=500, help_text=_("One line; no visitor's text."))
    raised_at = models.DateTimeField(_("since"), auto_now_add=True)
    told_at = models.DateTimeField(_("told on"), null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(_("attempts to tell"), default=0)
    try_after = models.DateTimeField(_("not told again before"), null=True, blank=True)
    closed_at = models.DateTimeField(_("over since"), null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["key"], condition=Q(closed_at__isnull=True), name="one_open_alert_a_key")
        ]
        ordering = ["-raised_at"]
        verbose_name = _("alert")
        verbose_name_plural = _("alerts")

    def __str__(self) -> str:
        return f"{self.key}: {self.text}"
