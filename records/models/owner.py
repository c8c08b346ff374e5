"""The person or firm that the site is about: one row."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from records.models.speakable import Speakable


class Owner(Speakable):
    """Names and pronouns by which questions and answers speak of the owner."""

    name = models.CharField(max_length=200)
    aliases = models.JSONField(default=list, blank=True, help_text='Other names: ["Livia", "Aramesh"].')
    names = models.JSONField(default=dict, blank=True, help_text='Name per language: {"fa": "…"}.')
    pronouns = models.JSONField(default=dict, blank=True, help_text='Pronouns per language: {"en": ["she", "her"]}.')

    tagline = models.JSONField(default=dict, blank=True, help_text="One line about the work, per language.")
    contact = models.JSONField(default=dict, blank=True, help_text="How to reach the owner, Markdown per language.")
    questions = models.JSONField(default=dict, blank=True, help_text="Suggested questions: a list per language.")
    domains = models.JSONField(default=list, blank=True, help_text="Domains that an answer may link to.")
    allowed = models.JSONField(default=list, blank=True, help_text="Personal data that an answer may show.")

    class Meta:
        verbose_name = _("profile")
        verbose_name_plural = _("profile")
        constraints = [models.CheckConstraint(condition=models.Q(pk=1), name="one_owner")]

    def __str__(self) -> str:
        return self.name

    def name_in(self, language: str) -> str:
        """Return the name as that language writes it, else the name as it is."""
        return str(self.names.get(language, self.name))

    def all_names(self) -> tuple[str, ...]:
        """Return every name that a question may use, the first one left out."""
        return tuple(str(name) for name in [*self.aliases, *self.names.values()] if name != self.name)
