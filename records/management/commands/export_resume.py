"""`manage.py export_resume`: what is public, as a JSON Resume on standard output."""

import json
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from records.importing import resume_export


class Command(BaseCommand):
    help = "Write what is public as a JSON Resume."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--lang", choices=[code for code, _ in settings.LANGUAGES], default="en")

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(json.dumps(resume_export.write(options["lang"]), ensure_ascii=False, indent=2))
