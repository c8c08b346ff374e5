"""The weekly mail: what visitors asked in vain. Sent once a week, and only where there is something to say.

A mail leaves the site's hands: it says until when it may be kept, and shows no personal data that the latch would hold
back from an answer.
"""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from assistant import owner_rules
from evals.gaps import found, use
from evals.gaps.found import Gap
from evals.models import WeeklyMail
from guardrails import leak
from guardrails.leak import REDACTED, LeakRules
from records import alerts
from records.conventions import day
from records.models import Owner
from records.owners_language import owners_language

DAYS = 7
NAMED = 10  # gaps in a mail; the page has the rest
LONGEST = 200  # characters of a question


def send() -> bool:
    """Send this week's mail, unless it was sent, nobody can be reached, or nothing went unanswered.

    Raises OSError (smtplib's errors are): then it counts as not sent.
    """
    to = alerts.addresses() if settings.TRAVA.mail else []
    gaps = found.gaps(found.since(DAYS)) if to else []
    if not gaps:
        return False
    with transaction.atomic(), translation.override(owners_language()):
        # Another process that sends it waits here until this one is done.
        _row, is_new = WeeklyMail.objects.get_or_create(week=_monday())
        if is_new:
            send_mail(_subject(), "\n".join(_lines(gaps)), None, to)
    return is_new


def _monday() -> date:
    today = timezone.localdate()
    return today - timedelta(days=today.weekday())


def _subject() -> str:
    return _("What visitors asked in vain at %(site)s") % {"site": settings.TRAVA.SITE_URL}


def _lines(gaps: Sequence[Gap]) -> Iterator[str]:
    days = use.days(found.since(DAYS))
    counts = {"asked": sum(each.count for each in days), "unanswered": sum(each.unanswered for each in days)}
    yield _("Questions in the last seven days: %(asked)s. Unanswered: %(unanswered)s.") % counts
    yield ""
    owner = Owner.objects.first()
    rules = owner_rules.current(owner).latch.leak or LeakRules()
    for gap in gaps[:NAMED]:
        yield _line(gap, rules)
    if len(gaps) > NAMED:
        yield _("More on the page: %(number)s") % {"number": len(gaps) - NAMED}
    yield ""
    yield settings.TRAVA.SITE_URL + reverse("admin:evals_questiongroup_changelist") + f"?days={DAYS}"
    yield ""
    until = min(example.keep_until for gap in gaps[:NAMED] for example in gap.examples[:1])
    kept = {"day": day(timezone.localdate(until), translation.get_language() or "en")}
    yield _("These are visitors' words: please delete this mail by %(day)s, when the site deletes them too.") % kept
    yield _("To end these mails, switch off the periodic task “evals.tasks.weekly_mail” in the admin.")


def _line(gap: Gap, rules: LeakRules) -> str:
    decision = leak.check(" ".join(gap.text.split()), rules)
    text = REDACTED if decision.action == "block" else decision.text
    shown = text if len(text) <= LONGEST else f"{text[:LONGEST].rstrip()}…"
    nearest = f" → {gap.nearest.title}" if gap.nearest else ""
    return f"- {gap.count} × {shown}{nearest}"
