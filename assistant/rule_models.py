"""What the owner decides of the guardrails from day to day, without a restart: phrases, policies, switches.

Values that answers may show and domains that they may link to belong to the owner (`records.models.Owner`).
"""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.text import capfirst
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from guardrails.extra import fault, key
from records.models import Owner
from records.models.speakable import Speakable

_FAULTS = {
    "no_word": _("There is no word in it, only signs."),
    "not_plain": _("A phrase is plain words: without quotation marks and addresses."),
    "one_letter": _("One letter stands in too many questions."),
    "stop_words": _("Words such as these stand in most questions: add one that says what is asked."),
}


class Category(models.TextChoices):
    """What a question is refused for, by the names of layer 1 (`guardrails.refusal.CATEGORIES`)."""

    META = "meta", pgettext_lazy("category of refused questions", "Meta")
    COMMERCIAL = "commercial", pgettext_lazy("category of refused questions", "Commercial")
    PRIVATE = "private", pgettext_lazy("category of refused questions", "Private")
    SPECULATION = "speculation", pgettext_lazy("category of refused questions", "Speculation")
    TASK = "task", pgettext_lazy("category of refused questions", "Task")


class RefusalPhrase(Speakable):
    """Words that refuse a question wherever they stand in it, whole and in this order, in any spelling."""

    category = models.CharField(_("category"), max_length=12, choices=Category)
    language = models.CharField(
        _("language"),
        max_length=5,
        choices=settings.LANGUAGES,
        help_text=_("What the refusal is reported as; all questions are tried."),
    )
    text = models.CharField(_("phrase"), max_length=120, help_text=_("Plain words; no expressions and no wildcards."))
    words = models.TextField(unique=True, editable=False, help_text="What it is matched by.")
    active = models.BooleanField(_("active"), default=True)
    note = models.CharField(_("note"), max_length=300, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("created by"),
        null=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    changed_at = models.DateTimeField(_("changed at"), auto_now=True)

    class Meta:
        verbose_name = _("refusal phrase")
        verbose_name_plural = _("refusal phrases")
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
            told = gettext("It is there already: “%(phrase)s” (%(category)s).")
            raise ValidationError({"text": told % {"phrase": same.text, "category": same.get_category_display()}})
        if owner := Owner.objects.first():
            self._spare(owner)

    def _spare(self, owner: Owner) -> None:
        if self.words in {key(name) for name in (owner.name, *owner.all_names())}:
            raise ValidationError(
                {"text": gettext("The owner's name stands in most questions: say what is asked of it.")}
            )
        for questions in owner.questions.values():
            for question in questions:
                if f" {self.words} " in f" {key(question)} ":
                    told = gettext("It stands in a question that the site suggests: “%(question)s”")
                    raise ValidationError({"text": told % {"question": question}})


class LeakAction(models.TextChoices):
    """What becomes of personal data in an answer."""

    PASS = "pass", _("Show it")
    REDACT = "redact", _("Hide it behind a mark")
    BLOCK = "block", _("Hold the sentence back")


class OwnerRules(models.Model):
    """The one row of switches. Each kind of personal data has its action; what the owner lists as allowed is shown."""

    national_id = models.CharField(_("national ids"), max_length=6, choices=LeakAction, default=LeakAction.BLOCK)
    card = models.CharField(_("payment cards"), max_length=6, choices=LeakAction, default=LeakAction.BLOCK)
    iban = models.CharField(_("bank accounts (IBAN)"), max_length=6, choices=LeakAction, default=LeakAction.BLOCK)
    phone = models.CharField(_("phone numbers"), max_length=6, choices=LeakAction, default=LeakAction.REDACT)
    email = models.CharField(_("e-mail addresses"), max_length=6, choices=LeakAction, default=LeakAction.REDACT)
    support = models.BooleanField(
        _("check words and denials against the source"),
        default=False,
        help_text=_(
            "Holds back sentences whose words, or whose “not”, the cited source does not have. It counts words "
            "and understands nothing: it also holds back sentences that are right (docs/measured.md says how many)."
        ),
    )
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("changed by"),
        null=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    changed_at = models.DateTimeField(_("changed at"), auto_now=True)

    class Meta:
        verbose_name = _("rules")
        verbose_name_plural = _("rules")
        constraints = [models.CheckConstraint(condition=models.Q(pk=1), name="one_row_of_rules")]

    def __str__(self) -> str:
        return capfirst(str(self._meta.verbose_name))
