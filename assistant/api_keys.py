"""Keys for programs that ask at `/api/ask`: minted, recognised, revoked.

Stored is a digest alone. A key is 256 random bits, so a plain hash of it can be neither guessed nor turned back, and
looking the digest up tells a stranger nothing by the time it takes; keyed by SECRET_KEY, it would die with that one.
"""

import hashlib
import re
import secrets

from django.utils import timezone

from assistant.models import ApiKey

_BEGINNING = "trava_"  # so that scanners and people know one where it should not be
_HINT = len(_BEGINNING) + 4
_BEARER = re.compile(r"bearer(?: +(\S*))?\s*", re.IGNORECASE)


def mint(row: ApiKey) -> str:
    """Give a row a key and its digest; the key, also returned, cannot be shown again once the object is gone."""
    row.key = key = _BEGINNING + secrets.token_urlsafe(32)
    row.hint, row.digest = key[:_HINT], _digest(key)
    return key


def presented(authorization: str | None) -> str | None:
    """Return the key that an Authorization header presents; None where it presents none (another scheme, say)."""
    bearer = _BEARER.fullmatch(authorization or "")
    return (bearer[1] or "") if bearer else None


def recognise(key: str) -> ApiKey | None:
    """Return the key's row and note the day; None for one that is wrong or revoked."""
    row = ApiKey.objects.filter(digest=_digest(key), revoked_at=None).first()
    if row is not None and row.last_used_on != (today := timezone.localdate()):
        ApiKey.objects.filter(pk=row.pk).update(last_used_on=today)
    return row


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
