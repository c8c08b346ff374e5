"""The state of work, in the database: what a dead worker left is found here and taken up."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from records.models.version import RecordVersion


class IngestionStep(models.Model):
    """One step of taking in a version.

    Nobody else takes it before `lease_until`: while somebody runs it, or in the pause after it failed. The moment
    passes when the runner died.
    """

    class Step(models.TextChoices):
        PASSAGES = "passages"
        EMBEDDINGS = "embeddings"

    class State(models.TextChoices):
        WAITING = "waiting", _("Waiting")
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")
        FAILED = "failed", _("Failed")

    version = models.ForeignKey(RecordVersion, on_delete=models.CASCADE, related_name="steps")
    step = models.CharField(max_length=12, choices=Step)
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=500, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["version", "step"], name="one_row_a_version_and_step")]
        indexes = [
            models.Index(fields=["updated_at"], condition=Q(state__in=["waiting", "running"]), name="steps_to_do")
        ]

    def __str__(self) -> str:
        return f"{self.step} of {self.version_id}: {self.state}"


class OutboxEvent(models.Model):
    """What happened here that an upper layer may want to know; written in the transaction that did it."""

    class Topic(models.TextChoices):
        PUBLISHED = "published"
        WITHDRAWN = "withdrawn"
        REVOKED = "revoked"

    topic = models.CharField(max_length=10, choices=Topic)
    version = models.ForeignKey(RecordVersion, on_delete=models.CASCADE, related_name="events")
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.topic} {self.version_id}"


class OutboxReceipt(models.Model):
    """A reader has dealt with an event. Readers look for events without their receipt, so order does not matter."""

    event = models.ForeignKey(OutboxEvent, on_delete=models.CASCADE, related_name="receipts")
    reader = models.CharField(max_length=40)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "reader"], name="one_receipt_a_reader")]

    def __str__(self) -> str:
        return f"{self.reader} has {self.event_id}"
