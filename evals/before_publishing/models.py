"""A rehearsal and how far it is. It names cases and keeps no text: of a draft, an answer or a visitor."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from pgvector.django import VectorField

from records.models import Record


class Rehearsal(models.Model):
    """One act on a record, or on several at once, tried out on the cases that it may affect.

    A new one takes the place of the last of that record.
    """

    class Act(models.TextChoices):
        PUBLISH = "publish", _("Publish")
        WITHDRAW = "withdraw", _("Withdraw")

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting for the worker")
        CHOOSING = "choosing", _("finding the questions that come near")
        BEFORE = "before", _("asking as the site is")
        AFTER = "after", _("asking as the site would be")
        DONE = "done", _("done")
        FAILED = "failed", _("stopped")

    record = models.ForeignKey(Record, verbose_name=_("record"), on_delete=models.CASCADE, related_name="+")
    others = models.ManyToManyField(Record, related_name="+", blank=True, help_text="Acted on together with it.")
    act = models.CharField(_("act"), max_length=8, choices=Act)
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.WAITING)
    done = models.PositiveIntegerField(default=0, help_text="Steps of this state that are done.")
    total = models.PositiveIntegerField(default=0)
    error = models.CharField(max_length=300, blank=True)
    corpus = models.CharField(max_length=64, help_text="Fingerprint of the live versions that it began with.")
    chosen = models.JSONField(default=dict, help_text="How many cases were asked, and why those.")
    results = models.JSONField(default=list, help_text="Every case asked: whether it passed before and after, and why.")
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("begun by"), null=True, on_delete=models.SET_NULL, related_name="+"
    )
    started_at = models.DateTimeField(_("begun at"), auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("rehearsal of a publication")
        verbose_name_plural = _("rehearsals of publications")
        ordering = ["-started_at"]
        constraints = [models.UniqueConstraint(fields=["record", "act"], name="one_rehearsal_an_act")]

    def __str__(self) -> str:
        return f"{self.get_act_display()}: {self.record}"

    @property
    def together(self) -> list[Record]:
        """All records that are acted on."""
        return [self.record, *self.others.order_by("slug")]


class QuestionVector(models.Model):
    """The raw vector of a golden question of the files: none of a visitor's."""

    embedder = models.CharField(max_length=100)
    key = models.CharField(max_length=64, help_text="Hash of the text.")
    vector = VectorField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["embedder", "key"], name="one_vector_an_embedder_and_question")]

    def __str__(self) -> str:
        return self.key[:12]
