"""Beat's schedule: what stands in the settings, but for the hours that the owner has moved in the admin.

django-celery-beat alone writes every entry anew at each start, and a moved hour would be lost with it.
"""

from typing import Any, Self

from celery.schedules import crontab
from django_celery_beat.models import PeriodicTask
from django_celery_beat.schedulers import DatabaseScheduler, ModelEntry


class Entry(ModelEntry):
    """One task. A time of day is the owner's once it is in the database; an interval is the program's."""

    @classmethod
    def from_entry(cls, name: str, app: Any = None, **entry: Any) -> Self:
        known = PeriodicTask.objects.filter(name=name).first() if isinstance(entry["schedule"], crontab) else None
        made: Self = cls(known, app=app) if known else super().from_entry(name, app=app, **entry)  # type: ignore[no-untyped-call]  # the package has no types
        return made


class Scheduler(DatabaseScheduler):
    """What `CELERY_BEAT_SCHEDULER` names."""

    Entry = Entry
