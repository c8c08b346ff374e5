"""What the work queue runs for evaluation."""

import logging

from celery import shared_task
from django.utils.translation import gettext_noop

from evals import calibration
from evals.asking import TurnFailed
from evals.before_publishing import rehearsing
from evals.gaps import answered, grouping, mail
from evals.golden import GoldenSetError
from evals.ground import Ground
from evals.live import check, due
from metering.errors import EmbeddingUnavailable
from records import alerts

GROUPING_SECONDS = 25.0  # for each of two steps; the next run comes a minute later

logger = logging.getLogger(__name__)


@shared_task
def calibrate() -> None:
    """Measure the floors on this site's records; a run that met a fault is kept by nobody and told to the owner."""
    try:
        result = calibration.run(Ground.now())
    except (TurnFailed, GoldenSetError) as error:
        told = gettext_noop("The calibration stopped, and nothing was changed: %(error)s")
        alerts.alert("calibration", told, error=error)
        return
    calibration.store(result)
    alerts.close("calibration")


@shared_task
def live_check() -> None:
    """Ask the live site what it must refuse and answer; every night, and by `after_imports`."""
    check.check()


@shared_task
def after_imports() -> None:
    """Check the site once what an import brought can be found."""
    if due.after_import():
        check.check()


@shared_task
def rehearse(pk: int) -> None:
    """Try out what a publication would change, and publish nothing."""
    rehearsing.run(pk)


@shared_task
def group_questions() -> None:
    """Group what visitors asked, and ask open gaps again where something was published since."""
    try:
        if grouping.mend(GROUPING_SECONDS):
            grouping.group_new(GROUPING_SECONDS)
            answered.ask_again(GROUPING_SECONDS)
    except (EmbeddingUnavailable, TurnFailed) as error:
        logger.warning("questions wait to be grouped: %s", error)


@shared_task(autoretry_for=(OSError,), max_retries=4, default_retry_delay=1800)
def weekly_mail() -> None:
    """Tell the owner by mail what visitors asked in vain; a server that does not take it is tried for two hours."""
    try:
        mail.send()
    except OSError as error:
        told = gettext_noop("The weekly mail about unanswered questions could not be sent: %(error)s")
        alerts.alert("weekly-mail", told, error=error)
        raise
    alerts.close("weekly-mail")
