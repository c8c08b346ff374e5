"""Django's handle on this package."""

from django.apps import AppConfig


class EvalsConfig(AppConfig):
    name = "evals"
