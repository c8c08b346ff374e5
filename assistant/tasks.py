"""What the work queue runs for conversations."""

from celery import shared_task

from assistant import journal, password_mail, revocation


@shared_task
def sweep() -> None:
    """Close the turns of dead processes, and take revoked text out of stored answers."""
    journal.close_abandoned()
    revocation.erase_revoked()


@shared_task
def send_password_reset(address: str, language: str) -> None:
    """Mail a link to set a new password, where the address has an account."""
    password_mail.send(address, language)
