"""The work queue carries the work and loses none of it when it is gone."""

import os
import subprocess
import sys
from datetime import timedelta

import pytest
from celery.contrib.testing.worker import start_worker
from django.utils import timezone

from config.celery import app
from metering.ledger import month_state, reserve
from metering.models import Reservation
from metering.tasks import expire_overdue
from records.models import IngestionStep, SearchEntry
from records.tasks import sweep
from tests.records.test_ingestion import BREAD, wait_until
from tests.records.vector_space import published


@pytest.fixture
def worker(transactional_db, valkey):
    """A real worker with its threads, on this test's database and queue."""
    with start_worker(app, pool="threads", concurrency=1, perform_ping_check=False, shutdown_timeout=20):
        yield


def test_publishing_reaches_the_worker(worker):
    version = published("bread", BREAD)
    wait_until(lambda: IngestionStep.objects.get(version=version, step="embeddings").state == "done")
    assert not SearchEntry.objects.filter(vector=None).exists()


def test_the_sweeps_run_on_the_worker(worker):
    late = reserve(5, purpose="answer", subject="turn", seconds=60)
    Reservation.objects.filter(pk=late.pk).update(deadline=timezone.now() - timedelta(seconds=1))
    version = published("bread", BREAD)
    IngestionStep.objects.filter(version=version).update(state="done")
    expire_overdue.delay()
    sweep.delay()
    wait_until(lambda: month_state().settled == 5 and not SearchEntry.objects.filter(vector=None).exists())


def test_everything_on_the_schedule_is_a_task(settings):
    app.loader.import_default_modules()
    assert {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()} <= app.tasks.keys()


def test_a_dead_queue_holds_up_nobody_and_is_logged():
    code = "import django; django.setup(); from records.tasks import announce; announce([1, 2]); print('went on')"
    environment = {**os.environ, "REDIS_URL": "redis://127.0.0.1:1/0", "DJANGO_SETTINGS_MODULE": "config.settings"}
    ran = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60)
    assert ran.stdout == "went on\n"
    assert "the sweep will take up" in ran.stderr
