"""What the owner changes of the schedule outlives a start; what the program changes takes part with one."""

import re

import pytest
from celery.schedules import crontab
from django.conf import settings
from django.contrib.auth.models import User
from django_celery_beat.models import CrontabSchedule, IntervalSchedule, PeriodicTask

from config.beat import Scheduler
from config.celery import app

pytestmark = pytest.mark.django_db(transaction=True)  # the scheduler gives its connections back

MAIL, SWEEP = "evals.tasks.weekly_mail", "records.tasks.sweep"


def start() -> None:
    """What beat does with the settings when it starts."""
    Scheduler(app=app, lazy=True).setup_schedule()


def test_every_task_of_the_settings_stands_in_the_database():
    start()
    assert set(settings.CELERY_BEAT_SCHEDULE) <= set(PeriodicTask.objects.values_list("name", flat=True))


def test_an_hour_that_the_owner_moved_and_a_mail_that_was_switched_off_stay_so():
    start()
    evening, _ = CrontabSchedule.objects.get_or_create(minute="0", hour="19", day_of_week="fri")
    PeriodicTask.objects.filter(name=MAIL).update(crontab=evening, enabled=False)
    start()
    mail = PeriodicTask.objects.get(name=MAIL)
    assert (mail.crontab, mail.enabled) == (evening, False)


def test_the_page_on_which_the_owner_moves_an_hour_holds_no_script_that_the_policy_blocks(client):
    start()
    client.force_login(User.objects.create_superuser("owner"))
    task = PeriodicTask.objects.get(name=MAIL)
    html = client.get(f"/admin/django_celery_beat/periodictask/{task.pk}/change/").content.decode()
    scripts = re.findall(r"<script[^>]*>", html)
    assert scripts
    assert [script for script in scripts if " src=" not in script and "application/json" not in script] == []


def test_an_interval_is_the_programs():
    start()
    hourly, _ = IntervalSchedule.objects.get_or_create(every=3600, period="seconds")
    PeriodicTask.objects.filter(name=SWEEP).update(interval=hourly)
    start()
    assert PeriodicTask.objects.get(name=SWEEP).interval.every == 60


def test_the_weekly_mail_comes_on_mondays_in_the_owners_time_zone():
    start()
    when = PeriodicTask.objects.get(name=MAIL).crontab
    assert (when.hour, when.day_of_week, str(when.timezone)) == ("7", "mon", settings.TIME_ZONE)
    assert settings.CELERY_BEAT_SCHEDULE[MAIL]["schedule"] == crontab(minute="0", hour="7", day_of_week="mon")
