"""Django's handle on this package, and what it lets the roles do (`records.roles`)."""

from typing import ClassVar

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EvalsConfig(AppConfig):
    name = "evals"
    verbose_name = _("Evaluation")
    grants: ClassVar = {"editor": ("view_*", "add_rehearsal"), "reviewer": ("view_*",)}
