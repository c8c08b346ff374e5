"""The part of a month that one reader may take: each conversation and each address has a share of the cap.

A share is known by an opaque key, from which nobody learns the conversation or the address. It lets a call through
while what it has taken is below its limit, so it can be passed by the bound of one call and never by two: a limit
below one answer's bound would otherwise answer nobody.
"""

from collections.abc import Iterable
from enum import StrEnum

from django.db.models import F
from django.utils.crypto import salted_hmac

from metering.caps import Caps
from metering.models import SpendMonth, SpendShare

LIVE_CHECK_PERCENT = 5  # of the month: a check of every night must leave the month to visitors

_SALT = "metering.share"


class Kind(StrEnum):
    """What can have a share."""

    CONVERSATION = "conversation"
    ADDRESS = "address"
    LIVE_CHECK = "live-check"  # the site's questions to itself


def key(kind: Kind, name: str) -> str:
    """Return the opaque key of one conversation or address."""
    return f"{kind}:{salted_hmac(_SALT, name, algorithm='sha256').hexdigest()[:32]}"


def take(month: SpendMonth, keys: Iterable[str], micro_usd: int, caps: Caps) -> bool:
    """Take an amount from every share; False where one is used up, and then the transaction has to be undone.

    Keys are taken in one order everywhere, so that two transactions never wait for each other.
    """
    ordered = sorted(set(keys))
    SpendShare.objects.bulk_create([SpendShare(month=month, key=key) for key in ordered], ignore_conflicts=True)
    return all(
        SpendShare.objects.filter(month=month, key=key, taken_micro_usd__lt=_limit(key, caps)).update(
            taken_micro_usd=F("taken_micro_usd") + micro_usd
        )
        for key in ordered
    )


def even_out(month_id: int, keys: Iterable[str], difference: int) -> None:
    """Correct what was taken once the cost is known; a share that is gone needs no correction."""
    for key in sorted(keys):
        SpendShare.objects.filter(month_id=month_id, key=key).update(taken_micro_usd=F("taken_micro_usd") + difference)


def _limit(key: str, caps: Caps) -> int:
    percents = {
        Kind.CONVERSATION: caps.conversation_percent,
        Kind.ADDRESS: caps.address_percent,
        Kind.LIVE_CHECK: LIVE_CHECK_PERCENT,
    }
    return caps.month * percents[Kind(key.partition(":")[0])] // 100
