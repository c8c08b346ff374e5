"""When the live check runs by itself: every night, and once after each import."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from django_celery_beat.models import PeriodicTask
from django_celery_beat.schedulers import DatabaseScheduler

from config.celery import app
from evals.live import due
from evals.models import Run
from records.models import ImportSource, IngestionStep
from tests.evals import site as small

pytestmark = pytest.mark.django_db(transaction=True)


def imported(ago):
    ImportSource.objects.create(location=f"/{ago}", last_run_at=timezone.now() - ago)


def checked(ago):
    run = Run.objects.create(suite="live", language="en", golden_hash="", corpus="", passed=True)
    Run.objects.filter(pk=run.pk).update(started_at=timezone.now() - ago)


def test_without_an_import_nothing_is_due():
    assert not due.after_import()


def test_an_import_calls_for_one_check():
    imported(timedelta(minutes=5))
    assert due.after_import()
    checked(timedelta(minutes=1))
    assert not due.after_import()


def test_a_check_before_the_import_is_not_enough():
    imported(timedelta(minutes=5))
    checked(timedelta(minutes=10))
    assert due.after_import()


def test_what_is_imported_is_checked_once_it_can_be_found():
    small.build()
    imported(timedelta(minutes=5))
    assert IngestionStep.objects.filter(state=IngestionStep.State.WAITING).exists()
    assert not due.after_import()
    IngestionStep.objects.update(state=IngestionStep.State.DONE)
    assert due.after_import()


def test_beat_starts_it_once_a_night_at_the_hour_in_the_admin():
    DatabaseScheduler(app=app, lazy=True).setup_schedule()
    task = PeriodicTask.objects.get(task="evals.tasks.live_check")
    assert (task.crontab.hour, task.crontab.minute) == ("3", "20")
    task.crontab.hour = "5"
    task.crontab.save()
    task.last_run_at = datetime.now(UTC) - timedelta(days=1, hours=1)
    task.save()
    entry = DatabaseScheduler(app=app).schedule["evals.tasks.live_check"]
    assert entry.is_due().is_due
    entry.last_run_at = entry._default_now()  # the clock of the entry itself
    assert not entry.is_due().is_due
