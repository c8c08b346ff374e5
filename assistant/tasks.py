"""What the work queue runs for conversations."""

from celery import shared_task

from assistant import journal, revocation


@shared_task
def sweep() -> None:
    """Close the turns of dead processes, and take revoked text out of stored answers."""
    journal.close_abandoned()
    revocation.erase_revoked()
