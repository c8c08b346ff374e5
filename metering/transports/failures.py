"""What went wrong, in our words, from what either SDK or their HTTP client raised. No provider's text is repeated.

A provider's message may quote the question: only the status, and the error's type and code, are kept.
"""

import re

import httpx2

from metering.errors import FailureKind, ModelFailure

NOTHING_WRITTEN: frozenset[FailureKind] = frozenset({"unreachable", "key", "rate_limited", "overloaded", "rejected"})
"""Before the first byte these cost nothing: the provider refused the request, or never got it."""

_OF_STATUS: dict[int, FailureKind] = {401: "key", 403: "key", 408: "slow", 429: "rate_limited"}
_OF_TYPE: dict[str, FailureKind] = {
    "authentication_error": "key",
    "permission_error": "key",
    "rate_limit_error": "rate_limited",
    "insufficient_quota": "rate_limited",
    "overloaded_error": "overloaded",
    "api_error": "overloaded",
    "server_error": "overloaded",
    "timeout_error": "slow",
    "invalid_request_error": "rejected",
    "not_found_error": "rejected",
    "request_too_large": "rejected",
}
_NOT_CONNECTED = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.ProxyError)
_WORD = re.compile(r"[\w.-]{1,60}")


def failure_of(error: Exception) -> ModelFailure:
    """Return what an exception of an SDK, of its HTTP client or of a time limit means."""
    status = getattr(error, "status_code", None)
    if isinstance(status, int):
        return ModelFailure(_kind(status), " ".join([str(status), *_words(getattr(error, "body", None))]))
    cause = error if isinstance(error, httpx2.HTTPError | TimeoutError) else error.__cause__ or error
    name = type(cause).__name__
    if isinstance(cause, _NOT_CONNECTED):
        return ModelFailure("unreachable", name)
    if isinstance(cause, httpx2.TimeoutException | TimeoutError):
        return ModelFailure("slow", name)
    if isinstance(cause, httpx2.NetworkError | httpx2.RemoteProtocolError):
        return ModelFailure("cut", name)
    return ModelFailure("malformed", name)


def failure_in_stream(body: object) -> ModelFailure:
    """Return what an error object means that came as an event, when the status had long been 200."""
    words = _words(body)
    kinds = [_kind(int(word)) if word.isdecimal() else _OF_TYPE.get(word) for word in words]
    return ModelFailure(next((kind for kind in kinds if kind), "cut"), " ".join(["an error in the stream", *words]))


def pause_before_retry(error: Exception, longest: float) -> float | None:
    """Return the seconds after which a second attempt makes sense, or None: it does not."""
    status = getattr(error, "status_code", None)
    if not isinstance(status, int):
        return 0.0 if isinstance(error.__cause__, httpx2.ConnectError) else None
    asked = _retry_after(error)
    if status >= 500 and asked is None:
        return 0.0
    return asked if (status == 429 or status >= 500) and asked is not None and asked <= longest else None


def _kind(status: int) -> FailureKind:
    return _OF_STATUS.get(status, "overloaded" if status >= 500 else "rejected")


def _retry_after(error: Exception) -> float | None:
    response = getattr(error, "response", None)
    value = response.headers.get("retry-after", "") if isinstance(response, httpx2.Response) else ""
    return float(value) if re.fullmatch(r"\d{1,6}(\.\d{1,3})?", value) else None


def _words(body: object) -> list[str]:
    """Return an error's type and code where they are words."""
    if not isinstance(body, dict):
        return []
    inner = body.get("error")
    found = inner if isinstance(inner, dict) else body
    values = (str(found.get(key) or "") for key in ("type", "code", "status"))
    return list(dict.fromkeys(value for value in values if _WORD.fullmatch(value)))
