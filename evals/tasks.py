"""What the work queue runs for evaluation."""

from celery import shared_task

from evals import calibration
from evals.asking import TurnFailed
from evals.golden import GoldenSetError
from evals.ground import Ground
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
