"""Whether PostgreSQL, Redis, a worker and the clock of repeated work can be reached, and are what they must be."""

from collections.abc import Iterator
from datetime import datetime, timedelta

import psycopg
import redis
from celery import current_app
from django.db import connections
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
from django_celery_beat.models import PeriodicTask
from kombu.exceptions import OperationalError as BrokerError

from evals.doctor.finding import Finding, note, ok, problem
from evals.models import InstalledExtension

POSTGRESQL = 15
PGVECTOR = (0, 8)
PATIENCE = 2.0  # seconds for a server or a worker to answer
SILENCE = timedelta(minutes=10)  # beat writes down what it started every three minutes


def database(url: str) -> Finding:
    """Whether PostgreSQL answers at the address, in a version that will do."""
    try:
        with psycopg.connect(url, connect_timeout=int(PATIENCE)) as connection:
            major, minor = divmod(connection.info.server_version, 10_000)
    except psycopg.Error as error:
        return problem("PostgreSQL", _line(error), "start it, or set DATABASE_URL; `make run` brings its own")
    if major < POSTGRESQL:
        return problem("PostgreSQL", f"{major}.{minor} is too old", f"upgrade to {POSTGRESQL} or later")
    return ok("PostgreSQL", f"{major}.{minor}")


def pgvector() -> Finding:
    """Whether the extension is there, in a version that will do. Needs the database."""
    row = InstalledExtension.objects.filter(extname="vector").first()
    if row is None:
        return problem("pgvector", "not installed in this database", "install pgvector, then `manage.py migrate`")
    if tuple(int(part) for part in row.extversion.split(".")[:2]) < PGVECTOR:
        wanted = ".".join(map(str, PGVECTOR))
        return problem("pgvector", f"{row.extversion} is too old", f"upgrade to {wanted}, then ALTER EXTENSION UPDATE")
    return ok("pgvector", row.extversion)


def migrations() -> Finding:
    """Whether the tables are those of this code. Needs the database."""
    executor = MigrationExecutor(connections["default"])
    pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if pending:
        return problem("migrations", f"{len(pending)} not applied, first {pending[0][0]}", "run `manage.py migrate`")
    return ok("migrations", "all applied")


def redis_server(url: str) -> Finding:
    """Whether Redis or Valkey answers at the address."""
    try:
        with redis.Redis.from_url(url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE, retry=None) as client:
            info = client.info("server")
    except (redis.RedisError, OSError) as error:
        return problem(
            "Redis",
            _line(error),
            "start it, or set REDIS_URL: without it questions pass unlimited, and no work is done",
        )
    valkey = info.get("valkey_version")
    return ok("Redis", f"Valkey {valkey}" if valkey else f"Redis {info['redis_version']}")


def worker() -> Finding:
    """Whether any worker answers a ping. Needs Redis."""
    try:
        answers = current_app.control.ping(timeout=PATIENCE)
    except (BrokerError, redis.RedisError, OSError) as error:
        return problem("worker", _line(error), "mend Redis first")
    if not answers:
        return problem("worker", "none answers", "start `celery -A config worker --beat`; `make run` brings its own")
    return ok("worker", ", ".join(name for answer in answers for name in answer))


def repeated_work(now: datetime) -> Iterator[Finding]:
    """Whether beat has started anything lately. Needs the database."""
    times = PeriodicTask.objects.filter(enabled=True).exclude(name__startswith="celery.")
    if not times.exists():
        yield note("beat", "no repeated work is planned", "start beat once: it enters its plan into the database")
        return
    last = max((row.last_run_at for row in times if row.last_run_at), default=None)
    began = max(row.date_changed for row in times)  # beat enters its plan anew whenever it starts
    if last and now - last <= SILENCE:
        yield ok("beat", f"last started something {(now - last).seconds} s ago")
        return
    seen = "has started nothing yet" if last is None else f"started nothing since {last:%Y-%m-%d %H:%M} UTC"
    if now - began <= SILENCE:
        minutes = (now - began) // timedelta(minutes=1)
        yield note(
            "beat", f"{seen}, {minutes} min since it began", f"look again in {SILENCE // timedelta(minutes=1)} min"
        )
    else:
        yield problem("beat", seen, "start `celery -A config worker --beat`, or `celery -A config beat`")


def examine(database_url: str, redis_url: str) -> tuple[Finding, ...]:
    """Check all of them, leaving out what needs a server that does not answer."""
    found = [database(database_url)]
    reachable = not found[0].remedy
    if reachable:
        found += [pgvector(), migrations()]
    found.append(redis_server(redis_url))
    if not found[-1].remedy:
        found.append(worker())
    if reachable:
        found += repeated_work(timezone.now())
    return tuple(found)


def _line(error: BaseException) -> str:
    return str(error).strip().splitlines()[0][:200] if str(error).strip() else type(error).__name__
