"""Rows whose texts are kept without the characters that nothing is shown with (guardrails.characters)."""

from typing import Any

from django.db import models

from guardrails.characters import all_speakable


class Speakable(models.Model):
    """Takes them out as it is saved."""

    class Meta:
        abstract = True

    def save(self, **options: Any) -> None:
        for field in self._meta.concrete_fields:
            if field.attname in self.__dict__:  # what is deferred was saved before
                setattr(self, field.attname, all_speakable(self.__dict__[field.attname]))
        super().save(**options)
