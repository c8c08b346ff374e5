"""`manage.py ingest`: do the ingestion that is due, here and now, without the work queue."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from records import indexing, ingestion, personal_values
from records.models import IngestionStep

State = IngestionStep.State
A_DAY = 86_400.0


class Command(BaseCommand):
    """Exit status 1 when a step did not get done."""

    help = "Embed what is published and not embedded yet."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--all", action="store_true", help="look at every live version again, failed ones included")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["all"]:
            live = ingestion.live_versions()
            for version in live.select_related("record"):
                indexing.recut(version)
                personal_values.note(version)
            ingestion.enqueue(live.values_list("pk", flat=True), (State.DONE, State.FAILED, State.WAITING))
        undone = []

        def report(step: IngestionStep) -> None:
            step.refresh_from_db()
            self.stdout.write(f"{step.version}: {step.state} {step.error}".rstrip())
            if step.state != State.DONE:
                undone.append(step)

        number = ingestion.work(A_DAY, report)
        self.stdout.write(f"{number - len(undone)} of {number} due versions done")
        if undone:
            raise CommandError(f"{len(undone)} versions are not embedded; what they wait for stands above")
