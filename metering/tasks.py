"""What the work queue runs for the ledger."""

from celery import shared_task

from metering import ledger


@shared_task
def expire_overdue() -> None:
    """Charge what nobody settled in time."""
    ledger.expire_overdue()
