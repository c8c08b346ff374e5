"""What the work queue runs for the ledger."""

from celery import shared_task

from metering import ledger


@shared_task
def forget_shares() -> None:
    """Delete what readers took of months that are over."""
    ledger.forget_shares()


@shared_task
def expire_overdue() -> None:
    """Charge what nobody settled in time."""
    ledger.expire_overdue()
