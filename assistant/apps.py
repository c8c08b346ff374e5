"""Django's handle on this package."""

from django.apps import AppConfig


class AssistantConfig(AppConfig):
    name = "assistant"
