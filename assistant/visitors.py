"""Who asks: the buckets of the rate limits, the hash of the session, and what this reader may see.

Read anew for each question, so that signing out or leaving a group holds from the next one on.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest

from assistant import addresses, api_keys
from assistant.conversations import session_hash
from assistant.database import in_database
from metering import shares
from records.access import PUBLIC, Viewer


@dataclass(frozen=True, slots=True)
class Visitor:
    """One visitor at one moment. `buckets` are what the rate limits count by; a live check has none."""

    buckets: tuple[str, ...]
    session: str
    viewer: Viewer
    live_check: bool = False

    @classmethod
    def checking(cls) -> "Visitor":
        """The site itself, which asks as the public does."""
        return cls(buckets=(), session="", viewer=PUBLIC, live_check=True)

    @property
    def shares(self) -> tuple[str, ...]:
        """The shares of the month that this visitor's questions take from, known by opaque keys."""
        if self.live_check:
            return (shares.key(shares.Kind.LIVE_CHECK, ""),)
        return tuple(shares.key(shares.Kind.ADDRESS, bucket) for bucket in self.buckets)


async def of_request(request: HttpRequest) -> Visitor:
    """Return who sent an HTTP request; raises django.db.Error when the database cannot say."""
    key = request.session.session_key or ""
    return Visitor(
        buckets=(addresses.of_request(request),), session=session_hash(key), viewer=await in_database(_viewer, key)
    )


def without_session(address: str) -> Visitor:
    """Return who asks in the widget: an address, whose session is nobody's business even where a browser sends it."""
    return Visitor(buckets=(address,), session="", viewer=PUBLIC)


async def of_key(request: HttpRequest, key: str) -> Visitor | None:
    """Return the program that sent an HTTP request with an API key, None where the key is wrong or revoked.

    It sees what the public sees, and its conversations are its own: no cookie counts. Raises django.db.Error.
    """
    row = await in_database(api_keys.recognise, key)
    if row is None:
        return None
    name = f"key:{row.pk}"
    return Visitor(buckets=(addresses.of_request(request), name), session=session_hash(name), viewer=PUBLIC)


async def of_scope(scope: Mapping[str, Any]) -> Visitor:
    """Return who opened a websocket; raises django.db.Error when the database cannot say."""
    key = scope["session"].session_key or ""
    return Visitor(
        buckets=(address_of_scope(scope),),
        session=session_hash(key),
        viewer=await in_database(_viewer, key),
    )


def address_of_scope(scope: Mapping[str, Any]) -> str:
    """Return the bucket of who opened a websocket."""
    client = scope.get("client")
    forwarded = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
    return addresses.bucket(client[0] if client else None, forwarded)


def _viewer(session_key: str) -> Viewer:
    if not session_key:
        return PUBLIC
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    return Viewer.of(get_user(request))
