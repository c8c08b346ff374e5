"""The signed mark of a live check: such a question is outside the rate limits, inside the cap, and no visitor's.

Whoever has SECRET_KEY can sign one, which are the site's own processes. A mark is worth nothing after a few minutes.
"""

from django.core.signing import BadSignature, TimestampSigner

FIELD = "mark"  # beside `question` and `lang`
LASTS = 900  # seconds: longer than a whole run takes
_SALT = "assistant.live_check"


def make() -> str:
    """Return a mark for the questions of one run."""
    return TimestampSigner(salt=_SALT).sign("live check")


def is_ours(mark: str) -> bool:
    """Whether this site signed it, lately."""
    try:
        TimestampSigner(salt=_SALT).unsign(mark, max_age=LASTS)
    except BadSignature:  # SignatureExpired is one
        return False
    return True
