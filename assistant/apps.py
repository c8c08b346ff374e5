"""Django's handle on this package, and what it lets the roles do (`records.roles`)."""

from typing import ClassVar

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AssistantConfig(AppConfig):
    name = "assistant"
    verbose_name = _("Assistant")
    grants: ClassVar = {"reviewer": ("view_*",)}
