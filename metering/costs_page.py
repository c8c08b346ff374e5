"""The owner's page of costs: this month or one before, with the form that changes the cap."""

from datetime import date, datetime
from typing import Any

from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from metering import caps, costs
from metering.bars import bars
from metering.cap_form import CapForm
from metering.models import SpendMonth


def context(request: HttpRequest, form: CapForm) -> dict[str, Any]:
    """Return what the template shows; raises Http404 for a month that is none."""
    shown = costs.of_month(_month(request.GET.get("month")))
    limits = caps.current()
    return {
        "costs": shown,
        "current": shown.month == costs.this_month(),
        "caps": limits,
        "left": max(0, limits.month - shown.settled - shown.reserved),
        "conversation_share": limits.month * limits.conversation_percent // 100,
        "address_share": limits.month * limits.address_percent // 100,
        "days": list(zip(shown.days, bars([micro_usd for _day, micro_usd in shown.days]), strict=True)),
        "lines": [(_purpose(line.purpose), line) for line in shown.lines],
        "months": SpendMonth.objects.order_by("-month").values_list("month", flat=True),
        "form": form,
    }


def _month(wanted: str | None) -> date:
    if not wanted:
        return costs.this_month()
    try:
        return datetime.strptime(wanted, "%Y-%m").date()  # noqa: DTZ007  # a month has no zone
    except ValueError:
        raise Http404 from None


def _purpose(name: str) -> str:
    known = {
        "answer": pgettext("what a model was called for", "answer"),
        "embedding": pgettext("what a model was called for", "embedding"),
        "demo": pgettext("what a model was called for", "the model without sources"),
    }
    return known.get(name, name)


def saved() -> str:
    """Return what the owner reads after a change."""
    return _("The new limits hold from the next question on.")
