"""What the work queue runs for evaluation."""

from celery import shared_task

from evals import calibration
from evals.asking import TurnFailed
from evals.golden import GoldenSetError
from evals.ground import Ground
from evals.live import check, due
from records import alerts


@shared_task
def calibrate() -> None:
    """Measure the floors on this site's records; a run that met a fault is kept by nobody and told to the owner."""
    try:
        result = calibration.run(Ground.now())
    except (TurnFailed, GoldenSetError) as error:
        alerts.alert("calibration", f"The calibration stopped, and nothing was changed: {error}")
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
