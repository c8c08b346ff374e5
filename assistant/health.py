"""Whether the process lives, whether the site can be used, and what it counts.

`/readyz` says 503 only without database or migrations: everything else degrades and is listed.
"""

import hmac
import math
from collections.abc import Iterator
from functools import cache
from http import HTTPStatus

import redis
from celery import current_app
from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_GET
from kombu.exceptions import OperationalError as BrokerError
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from assistant import floors, warm_up
from assistant.metrics import ALERTS_UNTOLD
from metering.embedders import embedder
from metering.errors import EmbeddingUnavailable
from records import alerts, spaces

PATIENCE = 0.5  # seconds for Redis to answer
WORKER_PATIENCE = 1.0  # seconds for any worker to answer


@require_GET
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers. Asks nobody else, so that a dead database does not get it restarted."""
    return JsonResponse({"status": "ok", "warm": not warm_up.under_way()})


@require_GET
def readyz(request: HttpRequest) -> HttpResponse:
    """Whether visitors can be served, and what is missing while they are."""
    try:
        pending = _pending_migrations()
    except DatabaseError:
        return JsonResponse({"status": "no database"}, status=HTTPStatus.SERVICE_UNAVAILABLE)
    if pending:
        return JsonResponse({"status": "migrations pending"}, status=HTTPStatus.SERVICE_UNAVAILABLE)
    return JsonResponse({"status": "ok", "degraded": list(_degraded())})


@require_GET
def metrics(request: HttpRequest) -> HttpResponse:
    """Prometheus' text, for the bearer of METRICS_TOKEN; without a token in the settings it does not exist."""
    token = settings.TRAVA.METRICS_TOKEN.get_secret_value()
    if not token:
        return HttpResponse(status=HTTPStatus.NOT_FOUND)
    given = request.headers.get("Authorization", "")
    if not hmac.compare_digest(given.encode(), f"Bearer {token}".encode()):
        return HttpResponse(status=HTTPStatus.UNAUTHORIZED, headers={"WWW-Authenticate": "Bearer"})
    ALERTS_UNTOLD.set(_alerts_untold())
    return HttpResponse(generate_latest(), content_type=CONTENT_TYPE_LATEST)


def _alerts_untold() -> float:
    try:
        return alerts.untold().count()
    except DatabaseError:
        return math.nan


def _degraded() -> Iterator[str]:
    if warm_up.under_way():
        yield "warming up"  # the first answers wait a few seconds
    if not _redis_answers():
        yield "redis"
        yield "worker"  # it cannot be asked, and gets no work
    elif not _worker_answers():
        yield "worker"
    if not _embeds():
        yield "embedder"
    calibration = floors.state()
    if calibration != "calibrated":
        yield "calibration stale" if calibration == "stale" else calibration


def _pending_migrations() -> bool:
    applied = MigrationRecorder(connections["default"]).applied_migrations()
    return not _last_migrations() <= applied.keys()


@cache
def _last_migrations() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(None).graph.leaf_nodes())


def _redis_answers() -> bool:
    url = settings.TRAVA.REDIS_URL.get_secret_value()
    try:
        with redis.Redis.from_url(url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE, retry=None) as client:
            return bool(client.ping())
    except (redis.RedisError, OSError):
        return False


def _worker_answers() -> bool:
    try:
        return bool(current_app.control.broadcast("ping", reply=True, timeout=WORKER_PATIENCE, limit=1))
    except (BrokerError, redis.RedisError, OSError):
        return False


def _embeds() -> bool:
    try:
        return embedder() is not None and spaces.active() is not None
    except EmbeddingUnavailable:
        return False
