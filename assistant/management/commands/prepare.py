"""Brings a database to where the site can be used: migrated, with records to read and somebody to edit them.

Safe to repeat, and quick where nothing is to be done: what is there already stays as it is. `load_demo`
leaves embedding to the worker.
"""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connections
from django.db.migrations.executor import MigrationExecutor

from records.models import Record


class Command(BaseCommand):
    help = "Migrate; load the demo into an empty site; create the owner's login where there is none."
    requires_system_checks = ()  # they import every view, which takes half of a quick start

    def handle(self, *args: Any, **options: Any) -> None:
        executor = MigrationExecutor(connections["default"])
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            call_command("migrate", interactive=False, verbosity=0)
        if not Record.objects.exists():
            call_command("load_demo", stdout=self.stdout)
        call_command("create_owner", stdout=self.stdout)
