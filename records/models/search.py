"""Vectors, and the index that searching reads.

`SearchEntry` is a projection of the live versions' placements: rebuilt from the other tables at any time, and
changed in the same transaction as the publication, so that withdrawn text stops answering at once.
"""

from django.contrib.auth.models import Group
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Q
from pgvector.django import VectorField

from records.models.passage import PassagePlacement
from records.models.record import Access, Kind, Record


class EmbeddingSpace(models.Model):
    """An embedder together with its set of language means. Floors belong to one; exactly one is active."""

    fingerprint = models.CharField(max_length=64, unique=True)
    embedder = models.CharField(max_length=100)
    dimensions = models.PositiveIntegerField()
    active = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["active"], condition=Q(active=True), name="one_active_space")]

    def __str__(self) -> str:
        return f"{self.embedder} {self.fingerprint[:12]}"


class LanguageMean(models.Model):
    """The mean vector of a language's questions or passages, which centring subtracts."""

    class Role(models.TextChoices):
        QUERY = "query"
        PASSAGE = "passage"

    space = models.ForeignKey(EmbeddingSpace, on_delete=models.CASCADE, related_name="means")
    language = models.CharField(max_length=5)
    role = models.CharField(max_length=7, choices=Role)
    vector = VectorField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["space", "language", "role"], name="one_mean_a_language_and_role")
        ]

    def __str__(self) -> str:
        return f"{self.language} {self.role}"


class PassageEmbedding(models.Model):
    """A raw vector, keyed by embedder and hash of context and text: the same text is embedded once, ever."""

    embedder = models.CharField(max_length=100)
    content_hash = models.CharField(max_length=64)
    vector = VectorField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["embedder", "content_hash"], name="one_vector_an_embedder_and_text")
        ]

    def __str__(self) -> str:
        return self.content_hash[:12]


class SearchEntry(models.Model):
    """One live placement as search sees it. Access and language stand here so that they filter before ranking."""

    placement = models.OneToOneField(PassagePlacement, on_delete=models.CASCADE, related_name="entry")
    record = models.ForeignKey(Record, on_delete=models.CASCADE, related_name="entries")
    kind = models.CharField(max_length=10, choices=Kind)
    language = models.CharField(max_length=5)
    access = models.CharField(max_length=10, choices=Access)
    group = models.ForeignKey(Group, null=True, blank=True, on_delete=models.PROTECT)
    words = ArrayField(models.TextField(), help_text="Folded words of the passage's own text.")
    lexemes = SearchVectorField(help_text="Context and text, in our own folding; no dictionary of the server's.")
    word_numbers = models.BinaryField(help_text="The own words as numbers, to be compared at once with many passages'.")
    grams = models.BinaryField(help_text="Character n-grams of context and text, packed, for the order of hits.")
    content_hash = models.CharField(max_length=64, db_index=True)
    vector = VectorField(null=True, blank=True, help_text="Centred, of length 1; null until embedded.")

    class Meta:
        indexes = [
            # What is added goes into the index at once: the list that it would wait in is read whole by every search.
            GinIndex(fields=["lexemes"], name="entry_by_lexeme", fastupdate=False),
            models.Index(fields=["access", "language"], name="entry_by_access"),
            models.Index(fields=["id"], condition=Q(vector__isnull=True), name="entry_without_vector"),
        ]

    def __str__(self) -> str:
        return f"entry of {self.placement_id}"
