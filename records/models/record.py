"""A record and its texts: the draft that the owner edits. Nothing here is ever searched or cited."""

from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import Group
from django.db import models
from django.utils.translation import gettext_lazy as _

from records.models.speakable import Speakable


class Kind(models.TextChoices):
    """The four kinds of records."""

    CV = "cv"
    CASE_STUDY = "case-study"
    ARTICLE = "article"
    SERVICE = "service"


class Access(models.TextChoices):
    """Who may read: everybody; signed-in members of a group; the owner and staff."""

    PUBLIC = "public", _("Public")
    RESTRICTED = "restricted", _("Restricted")
    PRIVATE = "private", _("Private")


class DatePrecision(models.TextChoices):
    """How much of a date is known; the site shows no more than that."""

    YEAR = "year"
    MONTH = "month"
    DAY = "day"


class RecordFacts(models.Model):
    """The facts that a draft and its snapshots share. Dates are the first day of what their precision names."""

    start = models.DateField(null=True, blank=True)
    start_precision = models.CharField(max_length=5, choices=DatePrecision, blank=True)
    end = models.DateField(null=True, blank=True)
    end_precision = models.CharField(max_length=5, choices=DatePrecision, blank=True)
    current = models.BooleanField(_("current"), default=False)
    access = models.CharField(_("access"), max_length=10, choices=Access, default=Access.PUBLIC)
    group = models.ForeignKey(
        Group,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        help_text="Who reads it when access is restricted.",
    )
    authority = models.SmallIntegerField(default=0, help_text="Where two records disagree, the higher governs.")
    decided_by = models.CharField(max_length=200, blank=True, help_text="Who decides on what it says.")
    valid_from = models.DateField(null=True, blank=True)
    valid_to = models.DateField(null=True, blank=True)
    fields = models.JSONField(default=dict, blank=True, help_text="What only this kind has: organisation, role, …")

    class Meta:
        abstract = True


class RecordManager(models.Manager["Record"]):
    """All records; through a proxy model, those of its kind."""

    def get_queryset(self) -> models.QuerySet["Record"]:
        records = super().get_queryset()
        return records.filter(kind=self.model.KIND) if self.model.KIND else records


class Record(Speakable, RecordFacts):
    """One CV entry, case study, article or service. Its slug is its name in every address and event."""

    KIND: ClassVar[Kind | None] = None  # what a proxy model is limited to

    kind = models.CharField(max_length=10, choices=Kind)
    slug = models.SlugField(_("short name"), max_length=100, unique=True)
    original = models.CharField(
        max_length=5,
        choices=settings.LANGUAGES,
        blank=True,
        help_text="The language that it is written in first; where none is said, English or the first there is.",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = RecordManager()

    class Meta:
        ordering = ["kind", "-start", "slug"]
        permissions = [("publish_record", "Can publish, withdraw and revoke records")]

    def __str__(self) -> str:
        return self.slug

    def save(self, **options: Any) -> None:
        if self.KIND:
            self.kind = self.KIND
        super().save(**options)


class RecordText(Speakable):
    """The draft of a record in one language."""

    record = models.ForeignKey(Record, on_delete=models.CASCADE, related_name="texts")
    language = models.CharField(max_length=5, choices=settings.LANGUAGES)
    title = models.CharField(max_length=300)
    summary = models.TextField(blank=True)
    body = models.TextField(blank=True, help_text="Markdown.")
    fields = models.JSONField(
        default=dict, blank=True, help_text="The record's fields as this language words them, where it differs."
    )
    relations = models.JSONField(
        default=list,
        blank=True,
        help_text='Sections that need another: [{"section": "Results", "needs": "Caveats", "kind": "caveat"}].',
    )
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["record", "language"], name="one_text_a_record_and_language")]

    def __str__(self) -> str:
        return f"{self.record.slug} ({self.language})"


class CVEntry(Record):
    """A position, a degree, an award."""

    KIND = Kind.CV

    class Meta:
        proxy = True
        verbose_name = _("CV entry")
        verbose_name_plural = _("CV entries")


class CaseStudy(Record):
    """A piece of work for a client."""

    KIND = Kind.CASE_STUDY

    class Meta:
        proxy = True
        verbose_name = _("case study")
        verbose_name_plural = _("case studies")


class Article(Record):
    """Something the owner wrote; its start is the day it appeared."""

    KIND = Kind.ARTICLE

    class Meta:
        proxy = True
        verbose_name = _("article")
        verbose_name_plural = _("articles")


class Service(Record):
    """Something the owner offers; never a price."""

    KIND = Kind.SERVICE

    class Meta:
        proxy = True
        verbose_name = _("service")
        verbose_name_plural = _("services")
