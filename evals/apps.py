"""Django's handle on this package, and what it lets the roles do (`records.roles`)."""

from typing import ClassVar

from django.apps import AppConfig


class EvalsConfig(AppConfig):
    name = "evals"
    grants: ClassVar = {"editor": ("view_*", "add_rehearsal"), "reviewer": ("view_*",)}
