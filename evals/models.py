"""Evaluation runs and their cases, as they were found: nothing is averaged away."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from assistant.models import Category, Turn
from evals import objection
from evals.before_publishing.models import QuestionVector as QuestionVector
from evals.before_publishing.models import Rehearsal as Rehearsal
from evals.gap_models import GroupedQuestion as GroupedQuestion
from evals.gap_models import QuestionGroup as QuestionGroup
from evals.gap_models import WeeklyMail as WeeklyMail
from records.models import Record


class Run(models.Model):
    """One run of a suite, with everything that its figures belong to."""

    suite = models.CharField(max_length=40)
    language = models.CharField(max_length=5)
    started_at = models.DateTimeField(auto_now_add=True, db_index=True)
    code_version = models.CharField(max_length=64, blank=True, help_text="Git commit.")
    golden_hash = models.CharField(max_length=64)
    prompt_version = models.CharField(max_length=64, blank=True)
    space = models.CharField(max_length=64, blank=True, help_text="Fingerprint of the embedding space.")
    corpus = models.CharField(max_length=64, help_text="Fingerprint of the live versions.")
    embedder = models.CharField(max_length=100, blank=True)
    provider = models.CharField(max_length=200, blank=True, help_text="Who words answers: the provider and its model.")
    floors = models.CharField(max_length=40, blank=True, help_text="The two floors in force.")
    figures = models.JSONField(default=dict)
    passed = models.BooleanField()

    class Meta:
        verbose_name = _("run of a suite")
        verbose_name_plural = _("runs of the suites")
        ordering = ["-started_at"]
        indexes = [models.Index(fields=["suite", "language", "-started_at"], name="runs_of_a_suite")]

    def __str__(self) -> str:
        return f"{self.suite} {self.language} {self.started_at:%Y-%m-%d %H:%M}"


class CaseResult(models.Model):
    """What one golden case gave in one run."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="cases")
    case = models.CharField(max_length=60, db_index=True)
    passed = models.BooleanField()
    detail = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "case"], name="one_result_a_case")]

    def __str__(self) -> str:
        return f"{self.case} {'passed' if self.passed else 'failed'}"


class OwnCase(models.Model):
    """A golden case of the owner's own. One that was made of a visitor's turn goes with it."""

    PREFIX = "own-"  # of its id: no golden file has one that begins so

    class Suite(models.TextChoices):
        REFUSAL = "refusal", _("must be refused")
        ANSWERABLE = "answerable", _("must be answered")
        NO_EVIDENCE = "no_evidence", _("nothing published answers it")

    suite = models.CharField(_("what is expected"), max_length=12, choices=Suite)
    language = models.CharField(_("language"), max_length=5, choices=settings.LANGUAGES)
    question = models.TextField(_("question"))
    category = models.CharField(
        _("category"), max_length=12, blank=True, choices=Category,
        help_text=_("Of a question that must be refused."),
    )  # fmt: skip
    records = models.ManyToManyField(
        Record,
        blank=True,
        verbose_name=_("records"),
        help_text=_("Any of them answers a question that must be answered."),
    )
    turn = models.OneToOneField(
        Turn, null=True, blank=True, editable=False, on_delete=models.CASCADE, related_name="own_case"
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, editable=False, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)

    class Meta:
        verbose_name = _("own case")
        verbose_name_plural = _("own cases")
        ordering = ["-created_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(suite="refusal", category__gt="") | (~Q(suite="refusal") & Q(category="")),
                name="refused_in_a_category",
                violation_error_message=_("A question that must be refused has a category, and no other question has."),
            )
        ]

    def __str__(self) -> str:
        """Without a visitor's words: the admin's history keeps this after they are erased."""
        return self.case if self.turn_id else self.question[:80]

    @property
    def case(self) -> str:
        """Its id among the golden cases."""
        return f"{self.PREFIX}{self.pk}"


class Calibration(models.Model):
    """A calibration run: what the questions gave, and the floors that they speak for, in one space and corpus."""

    started_at = models.DateTimeField(_("begun at"), auto_now_add=True, db_index=True)
    code_version = models.CharField(max_length=64, blank=True, help_text="Git commit.")
    embedder = models.CharField(_("embedder"), max_length=100)
    space = models.CharField(max_length=64, blank=True, help_text="Fingerprint of the embedding space.")
    corpus = models.CharField(max_length=64, help_text="Fingerprint of the live versions.")
    dense = models.FloatField(
        _("floor of similarity"), null=True, help_text="The proposed floors; null where the questions speak for none."
    )
    words = models.FloatField(_("floor of words"), null=True)
    against = models.JSONField(default=list, help_text="Why the proposal may not be put in force; empty: it may.")
    points = models.JSONField(default=list, help_text="Every question with its best similarities.")

    class Meta:
        verbose_name = _("calibration")
        verbose_name_plural = _("calibrations")
        ordering = ["-started_at"]

    def __str__(self) -> str:
        return gettext("calibration of %(time)s") % {"time": f"{self.started_at:%Y-%m-%d %H:%M}"}

    @property
    def objections(self) -> list[str]:
        """What stands against the proposal, in the reader's language."""
        return [objection.told(kept) for kept in self.against]


class InstalledExtension(models.Model):
    """PostgreSQL's own catalogue of extensions: read by the doctor, never written."""

    oid = models.PositiveIntegerField(primary_key=True)
    extname = models.CharField(max_length=63)
    extversion = models.CharField(max_length=63)

    class Meta:
        managed = False
        db_table = "pg_extension"

    def __str__(self) -> str:
        return f"{self.extname} {self.extversion}"
