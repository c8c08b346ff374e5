"""What an import took from where, so that a second run changes only what has changed, and knows what is gone."""

from django.conf import settings
from django.db import models

from records.models.record import Record


class ImportSource(models.Model):
    """A folder, file or address that was imported."""

    location = models.CharField(max_length=1000, unique=True)
    last_run_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.location


class ImportedText(models.Model):
    """One text as the last run left it; a text or facts that differ from it have been edited by hand since.

    `removed_at`: the source has it no more.
    """

    source = models.ForeignKey(ImportSource, on_delete=models.CASCADE, related_name="texts")
    origin = models.CharField(max_length=1000, help_text="Its name within the source: a path, or a place in a file.")
    record = models.ForeignKey(Record, on_delete=models.CASCADE, related_name="imported")
    language = models.CharField(max_length=5, choices=settings.LANGUAGES)
    text_checksum = models.CharField(max_length=64)
    facts_checksum = models.CharField(max_length=64)
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["source", "origin"], name="one_text_a_source_and_origin")]

    def __str__(self) -> str:
        return self.origin
