"""Django's handle on this package, and what it lets the roles do."""

from typing import ClassVar

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _

_DRAFTS = ("cventry", "casestudy", "article", "service", "record", "recordtext")


class RecordsConfig(AppConfig):
    name = "records"
    verbose_name = _("Records")
    grants: ClassVar = {
        "editor": (
            "view_*",
            *(f"{action}_{model}" for action in ("add", "change") for model in _DRAFTS),
            "delete_recordtext",
        ),
        "reviewer": ("view_*",),
    }

    def ready(self) -> None:
        """Keep the groups of the roles."""
        from records import roles  # models can't be imported before every app is ready

        post_migrate.connect(roles.establish, dispatch_uid="records.roles")
