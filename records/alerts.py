"""Tells the owner that something which runs by itself has given up: by mail and by webhook, where they are set.

A failure is told once for as long as it is open. Telling never raises: what could not be told is logged, counted in
its row and tried again. The texts are ours, in the owner's language, and carry nothing that a visitor wrote.
"""

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from urllib.request import Request, urlopen

from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import send_mail
from django.db import DatabaseError, transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext, override

from records.models import Alert
from records.owners_language import owners_language

PATIENCE = 10  # seconds for a webhook to answer
QUIET = timedelta(minutes=15)  # between two messages: a hundred failures at once are one
ATTEMPTS = 12
PAUSES = [timedelta(minutes=min(2**attempt, 360)) for attempt in range(ATTEMPTS)]  # a day in all
LINES = 20  # of alerts in one message

logger = logging.getLogger(__name__)


def alert(key: str, text: str, **values: object) -> None:
    """Open the alert `key`, unless it is open already. `tell_waiting` tells it, within a minute where a worker runs.

    `text` is one of the catalogues', told in the owner's language with `values` filled in.
    """
    try:
        with transaction.atomic(), override(owners_language()):
            text = gettext(text) % values if values else gettext(text)
            Alert.objects.bulk_create([Alert(key=key[:100], text=text[:500])], ignore_conflicts=True)
    except DatabaseError:
        logger.exception("an alert could not be written down: %s", key)


def close(key: str) -> None:
    """The failure is over: the next one of this key is told again."""
    Alert.objects.filter(key=key, closed_at=None).update(closed_at=timezone.now())


def untold() -> QuerySet[Alert]:
    """Return the open alerts that nobody was told of."""
    return Alert.objects.filter(closed_at=None, told_at=None)


def channels() -> Iterator[tuple[str, Callable[[Sequence[Alert]], None]]]:
    """Yield the ways in which the owner can be told, by the settings and the superusers' addresses."""
    if settings.TRAVA.mail and addresses():
        yield "mail", _mail
    if settings.TRAVA.ALERT_WEBHOOK_URL.get_secret_value():
        yield "webhook", _post


def tell_waiting() -> int:
    """Tell what waits, all of it in one message a channel; return how many alerts reached the owner."""
    used = list(channels())
    if not used or Alert.objects.filter(told_at__gt=timezone.now() - QUIET).exists():
        return 0
    waiting = _take()
    if not waiting or not [name for name, send in used if _sent(name, send, waiting)]:
        return 0
    return Alert.objects.filter(pk__in=[alert.pk for alert in waiting]).update(told_at=timezone.now())


def _take() -> list[Alert]:
    """Take what is due: before `try_after` nobody else does, and a process that dies has only lost an attempt."""
    now = timezone.now()
    due = untold().filter(Q(try_after=None) | Q(try_after__lt=now), attempts__lt=ATTEMPTS)
    with transaction.atomic():
        taken = list(due.select_for_update(skip_locked=True).order_by("raised_at"))
        for alert in taken:
            alert.try_after = now + PAUSES[alert.attempts]
            alert.attempts += 1
        Alert.objects.bulk_update(taken, ["try_after", "attempts"])
    return taken


def _sent(name: str, send: Callable[[Sequence[Alert]], None], alerts: Sequence[Alert]) -> bool:
    try:
        with override(owners_language()):
            send(alerts)
    except Exception:  # whatever a server may do: an alert that fails must break nothing else
        logger.exception("%d alerts could not be told by %s", len(alerts), name)
        return False
    return True


def _mail(alerts: Sequence[Alert]) -> None:
    counted = {"site": settings.TRAVA.SITE_URL, "count": len(alerts)}
    told = ngettext("Trava at %(site)s: %(count)s failure", "Trava at %(site)s: %(count)s failures", len(alerts))
    send_mail(told % counted, _message(alerts), None, addresses())


def _post(alerts: Sequence[Alert]) -> None:
    body = {"text": _message(alerts), "alerts": [{"key": alert.key, "text": alert.text} for alert in alerts[:LINES]]}
    request = Request(  # noqa: S310  # the operator's own address, http or https by the check of the settings
        settings.TRAVA.ALERT_WEBHOOK_URL.get_secret_value(),
        data=json.dumps(body).encode(),
        headers={"Content-Type": "application/json", "User-Agent": "Trava"},
        method="POST",
    )
    with urlopen(request, timeout=PATIENCE):  # noqa: S310  # likewise
        pass


def _message(alerts: Sequence[Alert]) -> str:
    lines = [f"Trava · {settings.TRAVA.SITE_URL}", *(alert.text for alert in alerts[:LINES])]
    if len(alerts) > LINES:
        lines.append(gettext("… and %(count)s more") % {"count": len(alerts) - LINES})
    lines.append(settings.TRAVA.SITE_URL + reverse("admin:records_alert_changelist"))
    return "\n".join(lines)


def addresses() -> list[str]:
    """Return where the owner reads mail: the superusers' addresses."""
    owners = User.objects.filter(is_superuser=True, is_active=True).exclude(email="")
    return list(owners.order_by("pk").values_list("email", flat=True))
