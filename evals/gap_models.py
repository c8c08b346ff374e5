"""Visitors' questions grouped by meaning. Each goes with its turn: no copy of a question stands here."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from pgvector.django import VectorField

from assistant.models import Turn


class QuestionGroup(models.Model):
    """Questions that mean the same, in whatever language. What the owner made of them is kept here."""

    created_at = models.DateTimeField(auto_now_add=True)
    set_aside_at = models.DateTimeField(null=True, blank=True, help_text="Not for this site.")
    set_aside_count = models.PositiveIntegerField(default=0, help_text="How often it had gone unanswered by then.")
    answered_at = models.DateTimeField(null=True, blank=True, help_text="What was published since answers it.")
    asked_of = models.CharField(max_length=64, blank=True, help_text="Corpus that was asked last whether it answers.")

    class Meta:
        verbose_name = _("content gap")
        verbose_name_plural = _("content gaps")

    def __str__(self) -> str:
        return f"group {self.pk}"


class GroupedQuestion(models.Model):
    """A turn's question in its group. `follows`: the turn before, where the question leans on it.

    One question of a group leads it: whatever means the same as that one joins. `vector` is null without an embedder.
    """

    turn = models.OneToOneField(Turn, on_delete=models.CASCADE, related_name="grouped")
    follows = models.ForeignKey(Turn, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    group = models.ForeignKey(QuestionGroup, on_delete=models.CASCADE, related_name="questions")
    leads = models.BooleanField(default=False)
    space = models.CharField(max_length=64, blank=True, help_text="Fingerprint of the vector's embedding space.")
    vector = VectorField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["group"], condition=Q(leads=True), name="one_leads_a_group")]
        indexes = [models.Index(fields=["space"], condition=Q(leads=True), name="leaders_by_space")]

    def __str__(self) -> str:
        return f"{self.turn_id} in group {self.group_id}"


class WeeklyMail(models.Model):
    """The mail about a week was sent; one row a week, so that it is sent once."""

    week = models.DateField(primary_key=True, help_text="The Monday after it.")
    sent_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.week}"
