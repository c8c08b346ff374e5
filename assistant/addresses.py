"""Who is asking, as the edge proxy saw it: never what the client itself can write into a header."""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest

UNKNOWN = "unknown"  # a peer without an address (a Unix socket) shares one bucket with its like
_IPV6_NETWORK = 64  # one household or machine holds a whole /64


def bucket(peer: str | None, forwarded: Iterable[str]) -> str:
    """Return what the rate limits count by: an IPv4 address, or the /64 of an IPv6 address.

    `peer` is the connection's other end, `forwarded` the X-Forwarded-For headers as received. With n trusted
    proxies the address is the n-th entry from the right, the one that the outermost of them wrote.
    """
    hops = [entry.strip() for header in forwarded for entry in header.split(",")]
    chain = [*hops, peer or ""]
    trusted = min(settings.TRAVA.TRUSTED_PROXIES, len(chain) - 1)
    address = _parsed(chain[-1 - trusted]) or _parsed(peer or "")
    if address is None:
        return UNKNOWN
    if isinstance(address, IPv6Address):
        return str(ip_network((address, _IPV6_NETWORK), strict=False))
    return str(address)


def of_request(request: HttpRequest) -> str:
    """Return the bucket of an HTTP request."""
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR")
    return bucket(request.META.get("REMOTE_ADDR"), [forwarded] if forwarded else [])


def _parsed(text: str) -> IPv4Address | IPv6Address | None:
    """Read `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1` or `[2001:db8::1]:4711`."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
