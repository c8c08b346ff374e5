"""What the work queue runs for records. A lost message loses nothing: the sweep finds the row."""

import logging
from collections.abc import Iterable

from celery import shared_task
from kombu.exceptions import OperationalError

from records import alerts, ingestion

SWEEP_SECONDS = 50.0  # the next sweep comes a minute later

logger = logging.getLogger(__name__)


def announce(version_ids: Iterable[int]) -> None:
    """Ask the worker to embed versions now. Without a broker the sweep finds the waiting steps within a minute."""
    try:
        for version_id in version_ids:
            embed_version.delay(version_id)
    except OperationalError as error:
        logger.warning("the work queue is out of reach, the sweep will take up the work: %s", error)


@shared_task
def embed_version(version_id: int) -> None:
    """Embed a version's passages, if nobody does or did."""
    ingestion.run(version_id)


@shared_task
def sweep() -> None:
    """Take up unfinished work."""
    ingestion.sweep(SWEEP_SECONDS)


@shared_task
def tell_alerts() -> None:
    """Tell the owner what waits to be told."""
    alerts.tell_waiting()
