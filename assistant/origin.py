"""Whether a browser's request comes from a page of this site, so that no other site asks in a visitor's name."""

from urllib.parse import urlsplit

from django.conf import settings

_DEFAULT_PORTS = {"http": 80, "https": 443}


def is_own(origin: str | None, host: str) -> bool:
    """Whether an Origin header names the host that was asked, or the site's public address.

    `host` is the Host header, which ALLOWED_HOSTS has been checked against. A missing Origin is not the own one.
    """
    place = _place(origin or "")
    if origin is None or place is None:
        return False
    return place in (_place(f"{urlsplit(origin).scheme}://{host}"), _place(settings.TRAVA.SITE_URL))


def _place(url: str) -> tuple[str, int | None] | None:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
        return None
    return parts.hostname, port or _DEFAULT_PORTS[parts.scheme]
