"""EMAIL_URL, read: which server sends the site's mail, and how the way to it is encrypted.

Reads addresses alone; whether a server answers there is seen when a mail is sent.
"""

from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

_PORTS = {"smtp": 25, "smtps": 465, "submission": 587}
_FORM = "must read like submission://user:password@host, smtps://…, smtp://host:25 or console:"


@dataclass(frozen=True, slots=True)
class MailServer:
    """Where mail goes. `host` is empty for `console:`, which writes each mail to the process's output."""

    host: str = ""
    port: int = 0
    user: str = ""
    password: str = ""
    starttls: bool = False
    tls: bool = False

    @property
    def backend(self) -> str:
        """Django's name for the way of sending."""
        return f"django.core.mail.backends.{'smtp' if self.host else 'console'}.EmailBackend"

    @property
    def bares_password(self) -> bool:
        """Whether the password travels unencrypted."""
        return bool(self.password) and not (self.tls or self.starttls) and self.host not in ("localhost", "127.0.0.1")

    def __repr__(self) -> str:
        return f"MailServer({self.host or 'console'})"


def mail_server(url: str) -> MailServer | None:
    """Return the server that a URL names, None for an empty one; raises ValueError with one line, without secrets.

    The scheme says how the way is encrypted. With `smtp` the port does: by the registry, 465 is TLS and 587 STARTTLS.
    """
    if not url or url == "console:":
        return MailServer() if url else None
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise ValueError(_FORM) from None
    if parts.scheme not in _PORTS or not host or parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ValueError(_FORM)
    if bool(parts.username) != bool(parts.password):
        raise ValueError("has a user without a password, or a password without a user")
    port = port or _PORTS[parts.scheme]
    scheme = {465: "smtps", 587: "submission"}.get(port, "smtp") if parts.scheme == "smtp" else parts.scheme
    return MailServer(
        host=host,
        port=port,
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        starttls=scheme == "submission",
        tls=scheme == "smtps",
    )
