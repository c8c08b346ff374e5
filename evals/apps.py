"""Django's handle on this package, and what it lets the roles do (`records.roles`)."""

from typing import ClassVar

from django.apps import AppConfig


class EvalsConfig(AppConfig):
    name = "evals"
    grants: ClassVar = {"editor": ("view_*",), "reviewer": ("view_*",)}
