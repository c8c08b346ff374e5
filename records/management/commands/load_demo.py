"""Loads the demo site. Its vectors follow by the worker."""

from typing import Any

from django.core.management.base import BaseCommand

from records import demo


class Command(BaseCommand):
    help = "Load and publish the demo site; a second load changes nothing."

    def handle(self, *args: Any, **options: Any) -> None:
        made = demo.load()
        self.stdout.write(f"{len(made)} versions published." if made else "Nothing has changed.")
