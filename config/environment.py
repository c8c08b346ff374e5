"""Every setting of the product: read from the environment, in this one place, each with a default that runs.

`var/environment`, which `make run` writes, supplies the addresses of the embedded servers, so that a command
typed in a second terminal finds them; a real environment variable always wins.
"""

import re
from decimal import Decimal
from email.utils import parseaddr
from pathlib import Path
from typing import Literal, Self
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, available_timezones

import psycopg
from limits import parse_many
from psycopg.conninfo import conninfo_to_dict
from pydantic import Field, JsonValue, SecretStr, ValidationError, ValidationInfo, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict
from redis.connection import parse_url

from config.mail import MailServer, mail_server

BASE_DIR = Path(__file__).resolve().parent.parent

# Read and checked already, without effect before the part that it belongs to is there.
LATER: dict[str, JsonValue] = {"later": True}
# What a model from outside can't do without. There is no price that we could know.
NEEDED = {
    "LLM_PROVIDER": (
        "LLM_BASE_URL",
        "LLM_MODEL",
        "LLM_API_KEY",
        "LLM_INPUT_USD_PER_MTOK",
        "LLM_OUTPUT_USD_PER_MTOK",
    ),
    "EMBEDDER": (
        "EMBEDDING_BASE_URL",
        "EMBEDDING_MODEL",
        "EMBEDDING_API_KEY",
        "EMBEDDING_DIMENSIONS",
        "EMBEDDING_USD_PER_MTOK",
    ),
}
OUTSIDE = ("openai", "anthropic")

_HOST = re.compile(r"\*|\.?[\w-]+(\.[\w-]+)*\.?|\[[0-9a-fA-F:.]+\]")
_MAIL = re.compile(r"[^@\s]+@[^@\s]+")


class Environment(BaseSettings):
    """The settings, typed. `description` is what `manage.py doctor` and docs/settings.md show."""

    model_config = SettingsConfigDict(
        env_file=BASE_DIR / "var" / "environment",
        env_ignore_empty=True,  # an empty variable is an unset one, as the launcher has it
        extra="ignore",
        frozen=True,
    )

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
    DEMO: bool = Field(True, description="whether the first start of an empty site loads the demo")
    ALLOWED_HOSTS: str = Field("localhost,127.0.0.1,[::1]", description="host names served, comma separated")
    SITE_URL: str = Field("http://localhost:8000", description="public address, for absolute links")
    STATIC_ROOT: str = Field(
        "",
        description="folder of stylesheets, scripts and fonts as `manage.py prepare` collects them: compressed, under "
        "names that change with their content, so that browsers keep them; empty: sent from where packages keep them",
    )
    TIME_ZONE: str = Field("UTC", description="the owner's time zone: days and months begin there")
    TRUSTED_PROXIES: int = Field(
        0, ge=0, le=10, description="proxies in front whose X-Forwarded-For entry is believed, from the right"
    )
    EMAIL_URL: SecretStr = Field(
        SecretStr(""),
        description="the server that sends mail: `submission://user:password@host` (STARTTLS), `smtps://…`, "
        "`smtp://host:25`, `console:`; empty: none is sent, and no password is reset by mail",
    )
    DEFAULT_FROM_EMAIL: str = Field("trava@localhost", description="sender of that mail")
    ALERT_WEBHOOK_URL: SecretStr = Field(
        SecretStr(""), description="address that gets a POST of JSON when something that runs by itself fails"
    )
    RETENTION_DAYS: int = Field(90, ge=1, le=3650, description="days that visitors' conversations are kept")
    METRICS_TOKEN: SecretStr = Field(SecretStr(""), description="bearer token of /metrics; empty: closed")
    RATE_LIMITS: str = Field(
        "10/minute;60/hour;200/day", description="questions per address, in the notation of `limits`"
    )
    TURN_DEADLINE: int = Field(60, ge=5, le=600, description="seconds that one turn may take")
    MAX_STREAMS: int = Field(400, ge=1, le=10_000, description="answers at once in one web process")
    LLM_PROVIDER: Literal["quoting", "openai", "anthropic"] = Field(
        "quoting",
        description="who words the answers: `quoting` quotes the records and needs no key; `openai` and `anthropic` "
        "are protocols, of a hosted model or of your own",
    )
    LLM_BASE_URL: str = Field("", description="address of the model's API")
    LLM_MODEL: str = Field("", max_length=200, description="the model's name there")
    LLM_API_KEY: SecretStr = Field(SecretStr(""), description="the key for it; any word where the server wants none")
    LLM_TOKENIZER: Literal["byte-bpe", "other"] = Field(
        "other", description="`byte-bpe`: one byte is never more than one token; `other`: bounded with a safe factor"
    )
    LLM_INPUT_USD_PER_MTOK: Decimal | None = Field(
        None, ge=0, le=10_000, description="price of a million tokens read, where the admin has none; 0: your own"
    )
    LLM_OUTPUT_USD_PER_MTOK: Decimal | None = Field(
        None, ge=0, le=10_000, description="price of a million tokens written, where the admin has none"
    )
    LLM_MAX_OUTPUT_TOKENS: int = Field(800, ge=1, le=100_000, description="tokens that an answer may have")
    LLM_REASONING_TOKENS: int = Field(
        0, ge=0, le=100_000, description="tokens that a model may reason beside them; set it for one that reasons"
    )
    EMBEDDER: Literal["bundled", "openai", "none"] = Field(
        "bundled",
        description="`bundled` runs multilingual-e5-small here; `openai` asks a server that speaks that protocol; "
        "`none` searches by keyword alone",
    )
    EMBEDDING_BASE_URL: str = Field("", description="address of an outside embedder's API")
    EMBEDDING_MODEL: str = Field("", max_length=80, description="the embedder's name there")
    EMBEDDING_DIMENSIONS: int | None = Field(
        None, ge=1, le=4000, description="the length of its vectors; pgvector indexes up to 4000"
    )
    EMBEDDING_API_KEY: SecretStr = Field(SecretStr(""), description="the key for it; any word where it wants none")
    EMBEDDING_USD_PER_MTOK: Decimal | None = Field(
        None, ge=0, le=10_000, description="price of a million tokens embedded, where the admin has none; 0: your own"
    )
    MONTHLY_CAP_USD: Decimal = Field(
        Decimal(20),
        ge=0,
        le=1_000_000,
        description="hard ceiling of a month's spend; the admin can only lower it",
    )
    TOP_K: int = Field(8, ge=1, le=20, description="passages delivered to the model")
    RERANKER: str = Field("none", description="a second look at the order of what was found", json_schema_extra=LATER)
    TRIAGE_JUDGE: str = Field("none", description="a judge of each passage found", json_schema_extra=LATER)
    CONTEXTUAL_PASSAGES: bool = Field(
        False,
        description="a sentence before each passage that places it in its document, for search alone",
        json_schema_extra=LATER,
    )
    QUERY_REWRITING: str = Field(
        "none", description="other wordings of a question, for the order of what is found", json_schema_extra=LATER
    )

    @field_validator("RERANKER", "TRIAGE_JUDGE", "CONTEXTUAL_PASSAGES", "QUERY_REWRITING")
    @classmethod
    def _asks_for_nothing(cls, value: object, info: ValidationInfo) -> object:
        if value != cls.model_fields[info.field_name or ""].default:
            raise ValueError("asks for a part that is not in this version yet; leave it unset")
        return value

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
        try:
            parse_url(value.get_secret_value())  # type: ignore[no-untyped-call]  # redis types its clients alone
        except ValueError:
            raise ValueError("must read like redis://:password@host:6379/0, rediss://… or unix://…") from None
        return value

    @field_validator("ALLOWED_HOSTS")
    @classmethod
    def _is_hosts(cls, value: str) -> str:
        hosts = [host.strip() for host in value.split(",") if host.strip()]
        if not hosts or not all(_HOST.fullmatch(host) for host in hosts):
            raise ValueError("must be host names, comma separated, without http:// and without ports")
        return value

    @field_validator("SITE_URL")
    @classmethod
    def _is_site(cls, value: str) -> str:
        value = value.removesuffix("/")
        if not _is_web_address(value) or urlsplit(value).path or "?" in value or "#" in value:
            raise ValueError("must read like https://www.example.org, without a path")
        return value

    @field_validator("LLM_BASE_URL", "EMBEDDING_BASE_URL", "ALERT_WEBHOOK_URL")
    @classmethod
    def _is_address(cls, value: str | SecretStr) -> str | SecretStr:
        text = value.get_secret_value() if isinstance(value, SecretStr) else value
        if text and not _is_web_address(text):
            raise ValueError("must be an address that begins with https:// or http://")
        return value

    @field_validator("EMAIL_URL")
    @classmethod
    def _is_mail_server(cls, value: SecretStr) -> SecretStr:
        mail_server(value.get_secret_value())
        return value

    @field_validator("DEFAULT_FROM_EMAIL")
    @classmethod
    def _is_sender(cls, value: str) -> str:
        if not _MAIL.fullmatch(parseaddr(value)[1]) or not value.isprintable():
            raise ValueError("must read like site@example.org or A Name <site@example.org>")
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

    @model_validator(mode="after")
    def _has_what_is_needed(self) -> Self:
        for name, needed in NEEDED.items():
            chosen = getattr(self, name)
            missing = [one for one in needed if getattr(self, one) in (None, "", SecretStr(""))]
            if chosen in OUTSIDE and missing:
                raise ValueError(f"{name}: {chosen} needs {', '.join(missing)} as well")
        return self

    @property
    def outside_embedder(self) -> str:
        """The name of the embedder that EMBEDDER=openai asks: vectors and prices are kept under it."""
        return f"openai:{self.EMBEDDING_MODEL}/{self.EMBEDDING_DIMENSIONS}"

    @property
    def mail(self) -> MailServer | None:
        """The server that sends mail; None where none is sent."""
        return mail_server(self.EMAIL_URL.get_secret_value())

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


def _is_web_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        return False


def read() -> Environment:
    """Return the settings, or stop the start with one line a bad value."""
    try:
        return Environment()  # type: ignore[call-arg]  # every field has a default; mypy lacks the plugin
    except ValidationError as error:
        told = ((item["loc"], item["msg"].removeprefix("Value error, ")) for item in error.errors())
        lines = (": ".join([*map(str, where[:1]), what]) for where, what in told)
        raise SystemExit("\n".join(lines)) from None


# An index of nearest vectors returns no more rows than it looks at, and search asks for 100. Disks are solid today,
# and no statement here runs long enough to be worth compiling first.
_PLANNING = "-c hnsw.ef_search=200 -c random_page_cost=1.1 -c jit=off"


CONNECTIONS = 20  # of one process at most: 16 for turns (assistant/database.py), the others for what else it serves
# Seconds. While the server is away the pool waits longer before each attempt, up to minutes: a reader, who waits for
# `timeout`, would be turned away long after it is back. Where the pool gives up early, each question tries anew.
_POOL = {"min_size": 1, "max_size": CONNECTIONS, "timeout": 5, "reconnect_timeout": 2}


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
        "ENGINE": "config.postgresql",
        **{name: parts.get(key) or "" for name, key in known.items()},
        "OPTIONS": {"options": _PLANNING, **options, "pool": _POOL},
    }
