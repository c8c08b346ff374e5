"""Brings a site to where it can be used: migrated, with records to read, somebody to edit them, and the files of its
pages collected where STATIC_ROOT names a folder.

Safe to repeat, and quick where nothing is to be done: what is there already stays as it is. `load_demo`
leaves embedding to the worker.
"""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connections
from django.db.migrations.executor import MigrationExecutor

from records.models import Record


def outdated(manifest: Path) -> bool:
    """Whether a stylesheet, script, picture or font is newer than the list of those that were collected."""
    if not manifest.exists():
        return True
    files = (storage.path(name) for finder in get_finders() for name, storage in finder.list([]))
    return max(Path(file).stat().st_mtime for file in files) > manifest.stat().st_mtime


def is_new() -> bool:
    """Whether nobody has begun with this site: who began without the demo does not find it there later."""
    return not Record.objects.exists() and not get_user_model().objects.exists()


class Command(BaseCommand):
    help = "Migrate; load the demo into a new site; create the owner's login where there is none; collect files."
    requires_system_checks = ()  # they import every view, which takes half of a quick start

    def handle(self, *args: Any, **options: Any) -> None:
        executor = MigrationExecutor(connections["default"])
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            call_command("migrate", interactive=False, verbosity=0)
        if settings.TRAVA.DEMO and is_new():
            call_command("load_demo", stdout=self.stdout)
        call_command("create_owner", stdout=self.stdout)
        if settings.STATIC_ROOT and outdated(Path(settings.STATIC_ROOT, "staticfiles.json")):
            call_command("collectstatic", interactive=False, verbosity=0)
