"""Passages, and where they stand. A passage's id outlives re-chunking, renamed headings and new versions."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from records.models.record import Record
from records.models.version import RecordVersion


class Passage(models.Model):
    """A piece of text that can be found and cited.

    `uid` comes from record, language, normalised text and occurrence number, so unchanged text keeps its id.
    Rows are never deleted: a retired id keeps resolving. Revoking empties `text` and `words`.
    """

    uid = models.CharField(max_length=24, primary_key=True)
    record = models.ForeignKey(Record, on_delete=models.PROTECT, related_name="passages")
    language = models.CharField(max_length=5)
    text = models.TextField(blank=True)
    words = ArrayField(models.TextField(), default=list, help_text="Folded words of its own text, for coverage.")

    def __str__(self) -> str:
        return self.uid


class PassagePlacement(models.Model):
    """Where a passage stands in a version: `version.text[start:end]` is the passage's text."""

    version = models.ForeignKey(RecordVersion, on_delete=models.CASCADE, related_name="placements")
    passage = models.ForeignKey(Passage, on_delete=models.PROTECT, related_name="placements")
    ordinal = models.PositiveIntegerField()
    section_path = ArrayField(models.TextField(), default=list)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    page = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["version", "ordinal"], name="one_placement_an_ordinal"),
            models.CheckConstraint(condition=models.Q(start__lt=models.F("end")), name="placement_is_not_empty"),
        ]
        ordering = ["version", "ordinal"]

    def __str__(self) -> str:
        return f"{self.passage_id} in {self.version_id}"


class PassageRelation(models.Model):
    """A passage needs another to be read rightly: its caveat, a definition, a table."""

    class Kind(models.TextChoices):
        CAVEAT = "caveat"
        DEFINITION = "definition"
        TABLE = "table"

    passage = models.ForeignKey(Passage, on_delete=models.CASCADE, related_name="needs")
    needed = models.ForeignKey(Passage, on_delete=models.CASCADE, related_name="needed_by")
    kind = models.CharField(max_length=10, choices=Kind)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["passage", "needed", "kind"], name="one_relation_a_pair_and_kind")
        ]

    def __str__(self) -> str:
        return f"{self.passage_id} needs {self.needed_id}"
