"""Every setting of the product: read from the environment, in this one place, each with a default that runs.

`var/environment`, which `make run` writes, supplies the addresses of the embedded servers, so that a command
typed in a second terminal finds them; a real environment variable always wins.
"""

from decimal import Decimal
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo, available_timezones

import psycopg
from limits import parse_many
from psycopg.conninfo import conninfo_to_dict
from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

BASE_DIR = Path(__file__).resolve().parent.parent


class Environment(BaseSettings):
    """The settings, typed. `description` is what `manage.py doctor` and docs/settings.md show."""

    model_config = SettingsConfigDict(env_file=BASE_DIR / "var" / "environment", extra="ignore", frozen=True)

    DATABASE_URL: SecretStr = Field(
        SecretStr("postgresql:///trava"), description="PostgreSQL 15 or later with pgvector 0.8 or later"
    )
    REDIS_URL: SecretStr = Field(
        SecretStr("redis://127.0.0.1:6379/0"), description="Valkey or Redis: work queue and rate limits"
    )
    SECRET_KEY: SecretStr = Field(
        SecretStr(""), description="signs sessions and conversations; empty: made anew at each start"
    )
    DEBUG: bool = Field(False, description="Django's debug pages; never on a public address")
    ALLOWED_HOSTS: str = Field("localhost,127.0.0.1,[::1]", description="host names served, comma separated")
    SITE_URL: str = Field("http://localhost:8000", description="public address, for absolute links")
    TIME_ZONE: str = Field("UTC", description="the owner's time zone: days and months begin there")
    TRUSTED_PROXIES: int = Field(
        0, ge=0, le=10, description="proxies in front whose X-Forwarded-For entry is believed, from the right"
    )
    METRICS_TOKEN: SecretStr = Field(SecretStr(""), description="bearer token of /metrics; empty: closed")
    RATE_LIMITS: str = Field(
        "10/minute;60/hour;200/day", description="questions per address, in the notation of `limits`"
    )
    TURN_DEADLINE: int = Field(60, ge=5, le=600, description="seconds that one turn may take")
    MAX_STREAMS: int = Field(400, ge=1, le=10_000, description="answers at once in one web process")
    LLM_PROVIDER: Literal["quoting"] = Field(
        "quoting", description="who words the answers: `quoting` quotes the records and needs no key"
    )
    EMBEDDER: Literal["bundled", "none"] = Field(
        "bundled", description="`bundled` runs multilingual-e5-small here; `none` searches by keyword alone"
    )
    MONTHLY_CAP_USD: Decimal = Field(
        Decimal(20),
        ge=0,
        le=1_000_000,
        description="hard ceiling of a month's spend; the admin can only lower it",
    )
    TOP_K: int = Field(8, ge=1, le=20, description="passages delivered to the model")

    @field_validator("DATABASE_URL")
    @classmethod
    def _is_postgresql(cls, value: SecretStr) -> SecretStr:
        try:
            conninfo_to_dict(value.get_secret_value())
        except psycopg.ProgrammingError as error:
            raise ValueError("is not a PostgreSQL address (postgresql://user:password@host/name)") from error
        return value

    @field_validator("REDIS_URL")
    @classmethod
    def _is_redis(cls, value: SecretStr) -> SecretStr:
        if not value.get_secret_value().startswith(("redis://", "rediss://", "unix://")):
            raise ValueError("must begin with redis://, rediss:// or unix://")
        return value

    @field_validator("RATE_LIMITS")
    @classmethod
    def _is_limits(cls, value: str) -> str:
        try:
            parse_many(value)
        except ValueError as error:
            raise ValueError("must read like 10/minute;60/hour;200/day") from error
        return value

    @field_validator("TIME_ZONE")
    @classmethod
    def _is_zone(cls, value: str) -> str:
        if value not in available_timezones():
            raise ValueError("must be a name of the time zone database, such as Europe/Lisbon")
        return value

    @property
    def zone(self) -> ZoneInfo:
        """The owner's time zone."""
        return ZoneInfo(self.TIME_ZONE)

    @property
    def monthly_cap_micro_usd(self) -> int:
        """The ceiling in integer micro-USD."""
        return int(self.MONTHLY_CAP_USD * 1_000_000)

    @property
    def celery_broker_url(self) -> str:
        """REDIS_URL in Celery's spelling (a socket is `redis+socket://` there)."""
        url = self.REDIS_URL.get_secret_value()
        return url.replace("unix://", "redis+socket://", 1).replace("?db=", "?virtual_host=")


def read() -> Environment:
    """Return the settings, or stop the start with one line a bad value."""
    try:
        return Environment()  # type: ignore[call-arg]  # every field has a default; mypy lacks the plugin
    except ValidationError as error:
        lines = (f"{item['loc'][0]}: {item['msg'].removeprefix('Value error, ')}" for item in error.errors())
        raise SystemExit("\n".join(lines)) from None


def database(environment: Environment) -> dict[str, object]:
    """Return Django's form of DATABASE_URL, with the connection pool that concurrent turns need."""
    parts = conninfo_to_dict(environment.DATABASE_URL.get_secret_value())
    known = {
        "NAME": "dbname",
        "USER": "user",
        "PASSWORD": "password",
        "HOST": "host",
        "PORT": "port",
    }  # names of fields
    options = {key: value for key, value in parts.items() if key not in known.values()}
    return {
        "ENGINE": "django.db.backends.postgresql",
        **{name: parts.get(key) or "" for name, key in known.items()},
        "OPTIONS": {**options, "pool": {"min_size": 1, "max_size": 16, "timeout": 5}},
    }
