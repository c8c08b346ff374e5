"""Tells the owner that the model answers nobody until somebody acts, and takes that back when it answers again.

What passes by itself (slow, overloaded, a limit of the provider's) is counted and not told.
"""

from django.utils.translation import gettext_noop

from metering.errors import FailureKind, ModelFailure, PriceUnknown
from records import alerts

KEY = "model"
NEEDS_SOMEBODY: frozenset[FailureKind] = frozenset({"unreachable", "key", "rejected", "malformed"})


def after(failure: ModelFailure | PriceUnknown | None) -> None:
    """Note how a call of the model ended; None: it answered. Touches the database."""
    if failure is None:
        alerts.close(KEY)
    elif isinstance(failure, PriceUnknown) or failure.kind in NEEDS_SOMEBODY:
        alerts.alert(KEY, gettext_noop("The language model answers nobody. %(failure)s"), failure=failure)
