"""What the work queue runs for conversations."""

from axes.handlers.proxy import AxesProxyHandler
from celery import shared_task
from django.conf import settings
from django.core.management import call_command

from assistant import journal, password_mail, retention, revocation

ERASING_SECONDS = 3600.0  # as often as it runs: what is left is for the next


@shared_task
def sweep() -> None:
    """Close the turns of dead processes, and take revoked text out of stored answers."""
    journal.close_abandoned()
    revocation.erase_revoked()


@shared_task
def erase_expired() -> None:
    """Delete what visitors wrote once it is older than RETENTION_DAYS."""
    retention.erase_expired(ERASING_SECONDS)


@shared_task
def clear_sessions() -> None:
    """Delete sessions that are over, and the admin's record of logins once it is as old as a conversation may get."""
    call_command("clearsessions")
    AxesProxyHandler.reset_logs(age_days=settings.TRAVA.RETENTION_DAYS)


@shared_task
def send_password_reset(address: str, language: str) -> None:
    """Mail a link to set a new password, where the address has an account."""
    password_mail.send(address, language)
