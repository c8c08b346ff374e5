"""`manage.py livecheck`: ask the live site, as a visitor, what it must refuse and what it must answer."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evals.live import check


class Command(BaseCommand):
    """Exit status 1 where a question did not get what it must."""

    help = "Ask the live site through its public entrance; results go into the admin, a failure alerts the owner."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--url", default="", help="the site's address; SITE_URL where it is not given")

    def handle(self, *args: Any, **options: Any) -> None:
        visited = check.check(options["url"].rstrip("/"))
        for each in visited:
            verdict = "ok    " if each.holds else "FAILED"
            self.stdout.write(
                f"{verdict} {each.question.language} {each.question.must:11} {each.question.text} -> {each.got}"
            )
        failed = sum(not each.holds for each in visited)
        if failed or not visited:
            raise CommandError(f"{failed} of {len(visited)} questions failed" if visited else "there is nothing to ask")
