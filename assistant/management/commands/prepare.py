"""Brings a database to where the site can be used: migrated, with records to read and somebody to edit them.

Safe to repeat: what is there already stays as it is. `load_demo` leaves embedding to the worker.
"""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from records.models import Record


class Command(BaseCommand):
    help = "Migrate; load the demo into an empty site; create the owner's login where there is none."

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("migrate", interactive=False, verbosity=0)
        if not Record.objects.exists():
            call_command("load_demo", stdout=self.stdout)
        call_command("create_owner", stdout=self.stdout)
