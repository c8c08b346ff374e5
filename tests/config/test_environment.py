"""Every setting is read, typed and checked; what is wrong stops the start with one line that shows no secret."""

import os
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest
from pydantic import SecretStr

from config import environment
from config.environment import Environment, read

ROOT = Path(__file__).parents[2]
CONTRACT = """
DATABASE_URL REDIS_URL SECRET_KEY ALLOWED_HOSTS SITE_URL TIME_ZONE TRUSTED_PROXIES EMAIL_URL DEFAULT_FROM_EMAIL
ALERT_WEBHOOK_URL METRICS_TOKEN RETENTION_DAYS TURN_DEADLINE MAX_STREAMS RATE_LIMITS LLM_PROVIDER LLM_BASE_URL LLM_MODEL
LLM_API_KEY LLM_TOKENIZER LLM_INPUT_USD_PER_MTOK LLM_OUTPUT_USD_PER_MTOK LLM_MAX_OUTPUT_TOKENS LLM_REASONING_TOKENS
EMBEDDER EMBEDDING_BASE_URL EMBEDDING_MODEL EMBEDDING_API_KEY EMBEDDING_USD_PER_MTOK MONTHLY_CAP_USD TOP_K RERANKER
TRIAGE_JUDGE CONTEXTUAL_PASSAGES QUERY_REWRITING
"""

BAD = [
    ("DATABASE_URL", "hunter2"),
    ("REDIS_URL", "http://:hunter2@host"),
    ("REDIS_URL", "redis://:hunter2@host:x"),
    ("DEBUG", "perhaps"),
    ("ALLOWED_HOSTS", "https://www.example.org"),
    ("ALLOWED_HOSTS", "www.example.org:8000"),
    ("ALLOWED_HOSTS", " , "),
    ("SITE_URL", "www.example.org"),
    ("SITE_URL", "https://www.example.org/site"),
    ("SITE_URL", "https://www.example.org:99999"),
    ("TIME_ZONE", "Lisbon"),
    ("TRUSTED_PROXIES", "-1"),
    ("EMAIL_URL", "mail://user:hunter2@host"),
    ("EMAIL_URL", "smtp://hunter2@host"),
    ("DEFAULT_FROM_EMAIL", "the site"),
    ("DEFAULT_FROM_EMAIL", "a@b.example\nBcc: c@d.example"),
    ("ALERT_WEBHOOK_URL", "ftp://host/hunter2"),
    ("RETENTION_DAYS", "0"),
    ("RETENTION_DAYS", "for ever"),
    ("RATE_LIMITS", "ten a minute"),
    ("TURN_DEADLINE", "1"),
    ("MAX_STREAMS", "0"),
    ("LLM_PROVIDER", "something"),
    ("LLM_BASE_URL", "api.example.org"),
    ("LLM_TOKENIZER", "fast"),
    ("LLM_INPUT_USD_PER_MTOK", "-1"),
    ("LLM_OUTPUT_USD_PER_MTOK", "cheap"),
    ("LLM_MAX_OUTPUT_TOKENS", "0"),
    ("LLM_REASONING_TOKENS", "1.5"),
    ("EMBEDDER", "something"),
    ("EMBEDDING_BASE_URL", "file:///etc"),
    ("EMBEDDING_USD_PER_MTOK", "NaN"),
    ("EMBEDDING_DIMENSIONS", "5000"),
    ("MONTHLY_CAP_USD", "inf"),
    ("TOP_K", "0"),
    ("CONTEXTUAL_PASSAGES", "perhaps"),
]
NOT_YET = [
    ("RERANKER", "http://127.0.0.1:9000/rerank"),
    ("TRIAGE_JUDGE", "local"),
    ("CONTEXTUAL_PASSAGES", "true"),
    ("QUERY_REWRITING", "hyde"),
]


@pytest.fixture
def only(monkeypatch):
    """Set the given variables and no others."""

    def choose(**variables):
        monkeypatch.setitem(Environment.model_config, "env_file", None)
        for name in Environment.model_fields:
            monkeypatch.delenv(name, raising=False)
        for name, value in variables.items():
            monkeypatch.setenv(name, value)

    return choose


def refusal_of(only, name, value):
    only(**{name: value})
    with pytest.raises(SystemExit) as stopped:
        read()
    return str(stopped.value)


def test_the_contracts_settings_are_all_there(only):
    only()
    assert set(CONTRACT.split()) <= set(Environment.model_fields)
    read()


@pytest.mark.parametrize(("name", "value"), BAD)
def test_a_bad_value_stops_the_start_with_one_line_that_names_the_setting(only, name, value):
    line = refusal_of(only, name, value)
    assert line.startswith(f"{name}: ")
    assert "\n" not in line
    assert "hunter2" not in line


@pytest.mark.parametrize(("name", "value"), NOT_YET)
def test_a_part_that_is_not_there_is_refused_and_never_pretended(only, name, value):
    line = refusal_of(only, name, value)
    assert line.startswith(f"{name}: ")
    assert "not in this version" in line
    assert "\n" not in line


MODEL = {
    "LLM_BASE_URL": "http://127.0.0.1:8080/v1",
    "LLM_MODEL": "m",
    "LLM_API_KEY": "hunter2",
    "LLM_INPUT_USD_PER_MTOK": "0",
    "LLM_OUTPUT_USD_PER_MTOK": "0",
}
EMBEDDER = {
    "EMBEDDING_BASE_URL": "http://127.0.0.1:8080/v1",
    "EMBEDDING_MODEL": "m",
    "EMBEDDING_API_KEY": "hunter2",
    "EMBEDDING_DIMENSIONS": "32",
    "EMBEDDING_USD_PER_MTOK": "0",
}


@pytest.mark.parametrize(
    ("choice", "needed"),
    [
        ({"LLM_PROVIDER": "openai"}, MODEL),
        ({"LLM_PROVIDER": "anthropic"}, MODEL),
        ({"EMBEDDER": "openai"}, EMBEDDER),
    ],
)
def test_a_model_from_outside_needs_an_address_a_name_a_key_and_a_price(only, choice, needed):
    only(**choice, **needed)
    assert read().model_fields_set == {*choice, *needed}
    (name,) = choice
    for missing in needed:
        only(**choice, **{key: value for key, value in needed.items() if key != missing})
        with pytest.raises(SystemExit) as stopped:
            read()
        assert str(stopped.value) == f"{name}: {choice[name]} needs {missing} as well"


def test_without_a_model_from_outside_nothing_of_the_kind_is_needed(only):
    only(LLM_PROVIDER="quoting", EMBEDDER="none", LLM_MODEL="m")
    assert read().LLM_MODEL == "m"


def test_an_empty_variable_is_an_unset_one(only):
    only(**dict.fromkeys(Environment.model_fields, ""))
    assert read() == Environment.model_construct()


def test_values_are_typed(only):
    only(LLM_INPUT_USD_PER_MTOK="0.15", RETENTION_DAYS="30", SITE_URL="https://www.example.org/")
    found = read()
    assert isinstance(found.LLM_INPUT_USD_PER_MTOK, Decimal)
    assert str(found.LLM_INPUT_USD_PER_MTOK) == "0.15"
    assert found.RETENTION_DAYS == 30
    assert found.SITE_URL == "https://www.example.org"  # as Django's trusted origins want it


@pytest.mark.parametrize("name", ["EMAIL_URL", "ALERT_WEBHOOK_URL", "LLM_API_KEY", "EMBEDDING_API_KEY", "SECRET_KEY"])
def test_what_may_carry_a_secret_is_masked(only, name):
    url = {"EMAIL_URL": "smtps://user:hunter2@host", "ALERT_WEBHOOK_URL": "https://host/hunter2"}
    only(**{name: url.get(name, "hunter2")})
    found = read()
    assert isinstance(getattr(found, name), SecretStr)
    assert "hunter2" not in f"{found!r} {found} {found.mail}"


def test_every_later_setting_is_at_its_default_or_without_effect():
    """A setting that is marked as not used yet is read by nobody: who begins to use it takes the mark off."""
    later = [name for name, field in Environment.model_fields.items() if field.json_schema_extra == environment.LATER]
    source = "".join(
        path.read_text(encoding="utf-8")
        for package in ("assistant", "evals", "metering", "records", "launcher")
        for path in (ROOT / package).rglob("*.py")
    )
    assert later
    assert [name for name in later if f".{name}" in source] == []


def test_the_start_itself_ends_with_the_line():
    command = [sys.executable, "manage.py", "check"]
    given = {**os.environ, "RETENTION_DAYS": "0"}
    ended = subprocess.run(command, cwd=ROOT, env=given, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr.strip() == "RETENTION_DAYS: Input should be greater than or equal to 1"
