"""Whether an import calls for a live check: it ended after the last one began, and nothing of it waits any more."""

from django.db.models import Max

from evals.live.check import SUITE
from evals.models import Run
from records.models import ImportSource, IngestionStep


def after_import() -> bool:
    """Whether to check now."""
    imported = ImportSource.objects.aggregate(last=Max("last_run_at"))["last"]
    checked = Run.objects.filter(suite=SUITE).aggregate(last=Max("started_at"))["last"]
    if imported is None or (checked is not None and checked >= imported):
        return False
    return all_taken_in()


def all_taken_in() -> bool:
    """Whether everything live can be found as well as it ever will: no step of ingestion is waiting or under way."""
    live = IngestionStep.objects.filter(version__retired_at=None)
    return not live.exclude(state__in=[IngestionStep.State.DONE, IngestionStep.State.FAILED]).exists()
