"""Adds to the figures of a day, which carry no text and no visitor."""

from collections import Counter
from datetime import date

from django.db.models import F

from assistant.models import DayFigure

Figure = tuple[date, str, str, str]  # day, language, kind, name


def add(figures: Counter[Figure]) -> None:
    """Add to what is stored, in one order everywhere, so that two processes never wait for each other."""
    for day, language, kind, name in sorted(figures):
        place = {"day": day, "language": language, "kind": kind, "name": name}
        row, _is_new = DayFigure.objects.get_or_create(**place, defaults={"count": 0})
        DayFigure.objects.filter(pk=row.pk).update(count=F("count") + figures[day, language, kind, name])
