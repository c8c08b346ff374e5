"""The limits in force: the environment's ceiling, lowered by what the owner set last, and the shares of one reader."""

from dataclasses import dataclass

from django.conf import settings

from metering.models import SpendCap


@dataclass(frozen=True, slots=True)
class Caps:
    """`month` and `ceiling` in micro-USD; the shares in percent of `month`."""

    month: int
    ceiling: int
    conversation_percent: int
    address_percent: int


def current() -> Caps:
    """Return the limits as they are now; a change in the admin holds from the next call on."""
    chosen = SpendCap.objects.order_by("-set_at", "-pk").first()
    ceiling = settings.TRAVA.monthly_cap_micro_usd
    shares = chosen or SpendCap()
    return Caps(
        month=min(ceiling, chosen.micro_usd) if chosen else ceiling,
        ceiling=ceiling,
        conversation_percent=shares.conversation_percent,
        address_percent=shares.address_percent,
    )
