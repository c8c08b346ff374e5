"""`manage.py import_content PATH_OR_URL`: take in a folder of Markdown, a Markdown file or a JSON Resume."""

from argparse import ArgumentParser
from collections import Counter
from contextlib import nullcontext
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from records.importing import location
from records.importing.entries import Unreadable
from records.importing.markdown_folder import Defaults
from records.importing.taking_in import NotMoved, Outcome, move, take_in
from records.models import Kind


class Command(BaseCommand):
    """Prints a line for every text, then the counts. Exit status 1 when something could not be taken in."""

    help = "Import records from a folder of Markdown files, one such file, or a JSON Resume. It can be run again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("location", metavar="PATH_OR_URL")
        parser.add_argument("--kind", choices=Kind.values, help="of records whose file and folder don't say it")
        parser.add_argument(
            "--lang", choices=[code for code, _ in settings.LANGUAGES], default="en", help="of texts that don't say it"
        )
        parser.add_argument(
            "--moved-from", metavar="PATH_OR_URL", help="where this was imported from the last time, if not from here"
        )
        parser.add_argument("--dry-run", action="store_true", help="report what would be done, and do nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        defaults = Defaults(Kind(options["kind"]) if options["kind"] else None, options["lang"])
        counts: Counter[str] = Counter()

        def report(outcome: Outcome) -> None:
            counts[outcome.what] += 1
            if outcome.what != "unchanged":
                self.stdout.write(f"{outcome.what}: {outcome.origin}" + (f" ({outcome.why})" if outcome.why else ""))

        try:
            items = list(location.read(options["location"], defaults))
        except Unreadable as error:
            raise CommandError(str(error)) from error
        name = location.name(options["location"])
        with transaction.atomic() if options["dry_run"] else nullcontext():
            if options["moved_from"]:
                _move(options["moved_from"], name)
            take_in(name, items, report)
            if options["dry_run"]:
                transaction.set_rollback(True)
        summary = ", ".join(f"{count} {what}" for what, count in sorted(counts.items())) or "nothing there"
        self.stdout.write(f"{summary}; nothing was done" if options["dry_run"] else summary)
        if counts["bad"]:
            raise CommandError(f"{counts['bad']} could not be taken in; what an earlier import took from them stays")


def _move(former: str, name: str) -> None:
    try:
        move(location.name(former), name)
    except NotMoved as error:
        raise CommandError(str(error)) from error
