"""Every setting with its value, where it came from and what it is for; a secret's value is never shown.

What is listed is what the settings class declares, so nothing can be left out.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from pydantic import SecretStr
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings

from evals.doctor.finding import Finding, note, ok

HIDDEN = "(set)"
NOT_YET = " (not used yet)"


@dataclass(frozen=True, slots=True)
class Setting:
    """`value` and `default` as text, secrets masked; `changed`: it was set, and not left at its default.

    `later`: it belongs to a part that is not there yet, and has no effect.
    """

    name: str
    value: str
    default: str
    changed: bool
    description: str
    later: bool


def settings(environment: BaseSettings) -> tuple[Setting, ...]:
    """Return every setting in the order of its declaration."""
    return tuple(
        Setting(
            name=name,
            value=_shown(getattr(environment, name)),
            default=_default(field.default),
            changed=name in environment.model_fields_set,
            description=(field.description or "") + (NOT_YET if _is_later(field) else ""),
            later=_is_later(field),
        )
        for name, field in type(environment).model_fields.items()
    )


def examine(secret_key: str, debug: bool, site_url: str, bares_password: bool) -> Iterator[Finding]:
    """Check what is allowed here and unwise on a public address."""
    public = urlsplit(site_url).hostname not in {"localhost", "127.0.0.1", "::1"}
    if not secret_key:
        yield note("SECRET_KEY", "made anew at each start: sessions and conversations end with it", "set SECRET_KEY")
    elif len(secret_key) < 32:
        yield note("SECRET_KEY", f"{len(secret_key)} characters can be guessed", "set one of 50 random characters")
    if debug and public:
        yield note("DEBUG", f"on, and {site_url} is public: errors show code and settings", "set DEBUG=false")
    if public and not site_url.startswith("https://"):
        yield note("SITE_URL", f"{site_url} is public and not encrypted", "serve it by https and set SITE_URL so")
    if bares_password:
        yield note("EMAIL_URL", "the password travels unencrypted", "use submission:// or smtps://")
    yield ok("settings", "every value is valid")


def idle(environment: BaseSettings) -> Iterator[Finding]:
    """Say what was set for a part that is not there yet."""
    if names := [item.name for item in settings(environment) if item.later and item.changed]:
        yield note("settings", f"{', '.join(names)}: without effect in this version", "unset what you do not need")


def table(environment: BaseSettings) -> str:
    """Return the rows of docs/settings.md, defaults only: no value of this machine."""
    rows = (f"| `{item.name}` | {_code(item.default)} | {item.description} |" for item in settings(environment))
    return "\n".join(("| setting | default | meaning |", "|---|---|---|", *rows))


def _shown(value: object) -> str:
    if isinstance(value, SecretStr):
        return HIDDEN if value.get_secret_value() else ""
    return "" if value is None else str(value)


def _is_later(field: FieldInfo) -> bool:
    extra = field.json_schema_extra
    return isinstance(extra, dict) and extra.get("later") is True


def _default(value: object) -> str:
    """A default is no secret: it is in the code."""
    if value is None:
        return ""
    return value.get_secret_value() if isinstance(value, SecretStr) else str(value)


def _code(text: str) -> str:
    return f"`{text}`" if text else "(empty)"
