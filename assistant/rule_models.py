"""What the owner decides of the guardrails from day to day, without a restart: phrases, policies, switches.

Values that answers may show and domains that they may link to belong to the owner (`records.models.Owner`).
"""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models

from guardrails.extra import fault, key
from guardrails.refusal import CATEGORIES
from records.models import Owner
from records.models.speakable import Speakable

_FAULTS = {
    "no_word": "There is no word in it, only signs.",
    "not_plain": "A phrase is plain words: without quotation marks and addresses.",
    "one_letter": "One letter stands in too many questions.",
    "stop_words": "Words such as these stand in most questions: add one that says what is asked.",
}


class RefusalPhrase(Speakable):
    """Words that refuse a question wherever they stand in it, whole and in this order, in any spelling."""

    category = models.CharField(max_length=12, choices=[(name, name.capitalize()) for name in CATEGORIES])
    language = models.CharField(
        max_length=5, choices=settings.LANGUAGES, help_text="What the refusal is reported as; all questions are tried."
    )
    text = models.CharField("phrase", max_length=120, help_text="Plain words; no expressions and no wildcards.")
    words = models.TextField(unique=True, editable=False, help_text="What it is matched by.")
    active = models.BooleanField(default=True)
    note = models.CharField(max_length=300, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, editable=False, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["category", "language", "text"]

    def __str__(self) -> str:
        return self.text

    def save(self, **options: object) -> None:
        self.words = key(self.text)
        super().save(**options)

    def clean(self) -> None:
        """Refuse what is no phrase, is there already, or would refuse what the site itself suggests to ask."""
        if not self.text:
            return  # the field itself has said so
        if problem := fault(self.text):
            raise ValidationError({"text": _FAULTS[problem]})
        self.words = key(self.text)
        if same := RefusalPhrase.objects.exclude(pk=self.pk).filter(words=self.words).first():
            raise ValidationError({"text": f"It is there already: “{same.text}” ({same.get_category_display()})."})
        if owner := Owner.objects.first():
            self._spare(owner)

    def _spare(self, owner: Owner) -> None:
        if self.words in {key(name) for name in (owner.name, *owner.all_names())}:
            raise ValidationError({"text": "The owner's name stands in most questions: say what is asked of it."})
        for questions in owner.questions.values():
            for question in questions:
                if f" {self.words} " in f" {key(question)} ":
                    raise ValidationError({"text": f"It stands in a question that the site suggests: “{question}”"})


class LeakAction(models.TextChoices):
    """What becomes of personal data in an answer."""

    PASS = "pass", "Show it"
    REDACT = "redact", "Hide it behind a mark"
    BLOCK = "block", "Hold the sentence back"


class OwnerRules(models.Model):
    """The one row of switches. Each kind of personal data has its action; what the owner lists as allowed is shown."""

    national_id = models.CharField("national ids", max_length=6, choices=LeakAction, default=LeakAction.BLOCK)
    card = models.CharField("payment cards", max_length=6, choices=LeakAction, default=LeakAction.BLOCK)
    iban = models.CharField("bank accounts (IBAN)", max_length=6, choices=LeakAction, default=LeakAction.BLOCK)
    phone = models.CharField("phone numbers", max_length=6, choices=LeakAction, default=LeakAction.REDACT)
    email = models.CharField("e-mail addresses", max_length=6, choices=LeakAction, default=LeakAction.REDACT)
    support = models.BooleanField(
        "check words and denials against the source",
        default=False,
        help_text="Holds back sentences whose words, or whose “not”, the cited source does not have. It counts words "
        "and understands nothing: it also holds back sentences that are right (docs/measured.md says how many).",
    )
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, editable=False, on_delete=models.SET_NULL, related_name="+"
    )
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "rules"
        verbose_name = "rules"
        constraints = [models.CheckConstraint(condition=models.Q(pk=1), name="one_row_of_rules")]

    def __str__(self) -> str:
        return "Rules"
