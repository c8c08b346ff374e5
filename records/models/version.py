"""Snapshots: everything that an answer can cite, as it stood when it was published."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from records.models.record import Record, RecordFacts


class RecordVersion(RecordFacts):
    """One record in one language as published; immutable but for the three moments at the end of its life.

    `body` is the Markdown; `text` is its plain text, the one that passages' ranges count in.
    Live: `retired_at` is null. Superseded or withdrawn: `retired_at` is set, the text still opens from old
    citations. Revoked: `revoked_at` is set and all that it said (title, fields and who decides, too) is emptied;
    the ids stay.
    """

    record = models.ForeignKey(Record, on_delete=models.PROTECT, related_name="versions")
    language = models.CharField(max_length=5, choices=settings.LANGUAGES)
    number = models.PositiveIntegerField()
    title = models.CharField(max_length=300)
    summary = models.TextField(blank=True)
    body = models.TextField(blank=True)
    text = models.TextField(blank=True)
    relations = models.JSONField(default=list, blank=True, help_text="As in the draft: which section needs which.")
    checksum = models.CharField(max_length=64)
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    published_at = models.DateTimeField()
    retired_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["record", "language", "number"], name="version_numbers_are_unique"),
            models.UniqueConstraint(
                fields=["record", "language"], condition=Q(retired_at__isnull=True), name="one_live_version"
            ),
            models.CheckConstraint(
                condition=Q(revoked_at__isnull=True) | Q(retired_at__isnull=False), name="revoked_is_retired"
            ),
        ]
        ordering = ["record", "language", "-number"]

    def __str__(self) -> str:
        return f"{self.record.slug} ({self.language}) v{self.number}"
