"""What was asked and what was released. A sentence is stored before it is sent, so a reload shows just that.

Money is not here: a turn's id is the subject of its reservations, and erasing a conversation keeps the ledger.
"""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from assistant.feedback_models import Feedback as Feedback
from assistant.rule_models import Category as Category
from assistant.rule_models import OwnerRules as OwnerRules
from assistant.rule_models import RefusalPhrase as RefusalPhrase
from assistant.text_models import FixedText as FixedText
from assistant.widget_models import WidgetOrigin as WidgetOrigin
from records.models import Passage, RecordVersion


class Conversation(models.Model):
    """One visitor's conversation. Its id travels signed; `session` binds it to the browser it began in."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.CharField(max_length=64, blank=True, db_index=True, help_text="Keyed hash of the session.")
    language = models.CharField(max_length=5, choices=settings.LANGUAGES)
    created_at = models.DateTimeField(auto_now_add=True)
    last_turn_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        verbose_name = _("conversation")
        verbose_name_plural = _("conversations")

    def __str__(self) -> str:
        return str(self.id)


class Turn(models.Model):
    """One question and what became of it. The client makes the id: a resend joins the turn, it does not ask twice."""

    class State(models.TextChoices):
        RUNNING = "running", _("running")
        DONE = "done", _("done")

    class Route(models.TextChoices):
        REFUSAL = "refusal", pgettext_lazy("route of a question", "Refusal")
        RECORDS = "records", pgettext_lazy("route of a question", "Records")
        PANORAMA = "panorama", pgettext_lazy("route of a question", "Panorama")
        SEARCH = "search", pgettext_lazy("route of a question", "Search")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="turns")
    ordinal = models.PositiveIntegerField()
    question = models.TextField()
    language = models.CharField(_("language"), max_length=5, help_text="The reader's language for this turn.")
    state = models.CharField(max_length=8, choices=State, default=State.RUNNING)
    route = models.CharField(_("route"), max_length=10, choices=Route, blank=True)
    refusal = models.CharField(_("refusal"), max_length=20, blank=True)
    notice = models.CharField(_("notice"), max_length=20, blank=True)
    stop = models.CharField(
        _("check that stopped it"),
        max_length=20,
        blank=True,
        help_text="The code of the check that stopped the answer.",
    )
    model_called = models.BooleanField(default=False)
    embedded = models.BooleanField(default=False)
    provider = models.CharField(max_length=200, blank=True)
    prompt_version = models.CharField(max_length=64, blank=True)
    trace = models.JSONField(default=dict, help_text="What each layer decided: similarities, floors, top passages.")
    cost_microusd = models.PositiveBigIntegerField(default=0)
    ms = models.PositiveIntegerField(null=True, blank=True)
    live_check = models.BooleanField(
        _("live check"), default=False, help_text="Asked by the site itself: in no figure about visitors."
    )
    created_at = models.DateTimeField(_("asked at"), auto_now_add=True, db_index=True)
    deadline = models.DateTimeField(help_text="A running turn past it belongs to a process that died.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["conversation", "ordinal"], name="turns_are_numbered"),
        ]
        indexes = [models.Index(fields=["deadline"], condition=Q(state="running"), name="running_by_deadline")]
        verbose_name = _("turn")
        verbose_name_plural = _("turns")
        ordering = ["conversation", "ordinal"]

    def __str__(self) -> str:
        return str(self.id)


class Sentence(models.Model):
    """One released sentence, without its markers. They count from 1; a lead-in of ours stands before them."""

    LEAD_IN = 0

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="sentences")
    ordinal = models.PositiveIntegerField()
    text = models.TextField()
    language = models.CharField(max_length=5)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["turn", "ordinal"], name="sentences_are_numbered")]
        ordering = ["turn", "ordinal"]

    def __str__(self) -> str:
        return f"{self.turn_id} {self.ordinal}"


class Citation(models.Model):
    """What a sentence rests on: a passage at its place in a version, or a version's own fields."""

    sentence = models.ForeignKey(Sentence, on_delete=models.CASCADE, related_name="citations")
    ordinal = models.PositiveIntegerField()
    version = models.ForeignKey(RecordVersion, on_delete=models.PROTECT)
    passage = models.ForeignKey(Passage, null=True, blank=True, on_delete=models.PROTECT)
    start = models.PositiveIntegerField(null=True, blank=True)
    end = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["sentence", "ordinal"], name="citations_are_numbered"),
            models.CheckConstraint(
                condition=Q(passage__isnull=False, start__isnull=False, end__isnull=False)
                | Q(passage__isnull=True, start__isnull=True, end__isnull=True),
                name="citation_of_passage_has_range",
            ),
        ]
        ordering = ["sentence", "ordinal"]

    def __str__(self) -> str:
        return f"{self.version_id} {self.passage_id or 'fields'}"


class GuardrailEvent(models.Model):
    """A guard was triggered. Carries no visitor's and no model's text."""

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="guardrail_events")
    guard = models.CharField(max_length=40, db_index=True, help_text="refusal, floor, value, first_person, …")
    detail = models.CharField(max_length=200, blank=True, help_text="The pattern's or rule's name.")
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    def __str__(self) -> str:
        return f"{self.guard} in {self.turn_id}"


class ActionProposal(models.Model):
    """A tool call that the model or a visitor proposes. Nothing runs without a policy's or a person's approval."""

    class State(models.TextChoices):
        PROPOSED = "proposed"
        APPROVED = "approved"
        REJECTED = "rejected"
        DONE = "done"
        FAILED = "failed"

    turn = models.ForeignKey(Turn, null=True, blank=True, on_delete=models.CASCADE, related_name="proposals")
    name = models.CharField(max_length=60)
    arguments = models.JSONField(default=dict)
    state = models.CharField(max_length=8, choices=State, default=State.PROPOSED)
    reason = models.CharField(max_length=200, blank=True, help_text="Why the policy did not let it run by itself.")
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    decided_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.name} {self.state}"


class Floor(models.Model):
    """The two floors in force from a moment on, and the embedding space and corpus that they belong to."""

    dense = models.FloatField()
    words = models.FloatField()
    space = models.CharField(max_length=64, help_text="Fingerprint of the embedding space.")
    corpus = models.CharField(max_length=64, help_text="Fingerprint of the live versions.")
    reason = models.CharField(max_length=300, blank=True, help_text="Why the owner overrode a failed run.")
    set_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    set_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        get_latest_by = "set_at"
        constraints = [
            models.CheckConstraint(
                condition=Q(dense__gte=0, dense__lte=1, words__gte=0, words__lte=1), name="floors_are_bounded"
            )
        ]

    def __str__(self) -> str:
        return f"dense {self.dense:.3f}, words {self.words:.2f}"


class ApiKey(models.Model):
    """Lets a program ask at `POST /api/ask`. The key itself is shown once and stored nowhere: here is its digest."""

    name = models.CharField(_("name"), max_length=80, help_text=_("Who or what asks with it."))
    hint = models.CharField(
        _("beginning"), max_length=12, editable=False, help_text=_("How the key begins, to tell keys apart.")
    )
    digest = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    last_used_on = models.DateField(_("last used on"), null=True, blank=True, editable=False)
    revoked_at = models.DateTimeField(_("revoked at"), null=True, blank=True, editable=False)

    key: str | None = None  # in the object that was just minted alone; no column

    class Meta:
        verbose_name = _("API key")
        verbose_name_plural = _("API keys")
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.name} ({self.hint}…)"


class DayFigure(models.Model):
    """How often something happened on a day: of turns whose text was deleted, or of what is kept nowhere else.

    No text, no visitor.
    """

    class Kind(models.TextChoices):
        TURNS = "turns"  # `name` is empty
        SENTENCES = "sentences"  # `name` is empty
        ROUTE = "route"
        REFUSAL = "refusal"
        NOTICE = "notice"
        STOP = "stop"
        GUARD = "guard"
        OPENED = "opened"  # a cited source, from an answer; `name` is empty

    day = models.DateField(help_text="The owner's day.")
    language = models.CharField(max_length=5)
    kind = models.CharField(max_length=9, choices=Kind)
    name = models.CharField(max_length=40, blank=True)
    count = models.PositiveBigIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["day", "language", "kind", "name"], name="one_figure_a_day")]
        ordering = ["-day", "language", "kind", "name"]

    def __str__(self) -> str:
        return f"{self.day} {self.language} {self.kind} {self.name}: {self.count}"
