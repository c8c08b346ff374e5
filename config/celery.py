"""The work queue. Celery carries the work; its state is in PostgreSQL, so that a sweep takes up what was lost."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("trava")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["metering", "records", "assistant", "evals"])
