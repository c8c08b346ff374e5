"""Django's handle on this package, and what it lets the roles do (`records.roles`)."""

from typing import ClassVar

from django.apps import AppConfig


class AssistantConfig(AppConfig):
    name = "assistant"
    grants: ClassVar = {"reviewer": ("view_*",)}
