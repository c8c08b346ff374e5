"""In which language the owner is written to where no browser says it: mails, alerts."""

from django.conf import settings
from django.db.models import Count

from records.models import Record


def owners_language() -> str:
    """Return the language that most records are written in first: the owner reads it."""
    originals = Record.objects.exclude(original="").order_by().values_list("original").annotate(count=Count("pk"))
    most = originals.order_by("-count", "original").first()
    return str(most[0]) if most else settings.LANGUAGE_CODE
