"""The sites that may show the widget: scheme, host and port of each, as the owner enters them in the admin."""

import re
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

_LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
# The list goes into a header: no sign gets through that would end a source there or make it match another host.
_HOST = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_ON_THIS_MACHINE = ("localhost", "127.0.0.1")
_DEFAULT_PORTS = {"https": 443, "http": 80}


class WidgetOrigin(models.Model):
    """One site of the owner's, by its origin. A page of it may frame the widget; what is enabled holds at once."""

    origin = models.CharField(
        _("address"),
        max_length=260,
        unique=True,
        help_text=_("Scheme, host and port alone, such as https://www.example.org. Every page of that site counts."),
    )
    note = models.CharField(_("note"), max_length=300, blank=True)
    enabled = models.BooleanField(_("enabled"), default=True)
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("changed by"),
        null=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    changed_at = models.DateTimeField(_("changed at"), auto_now=True)

    class Meta:
        verbose_name = _("site that may show the widget")
        verbose_name_plural = _("sites that may show the widget")
        ordering = ["origin"]

    def __str__(self) -> str:
        return self.origin

    def clean(self) -> None:
        """Write the origin as browsers do, and refuse what is none."""
        if self.origin:  # the field itself has said so
            self.origin = as_browsers_write_it(self.origin)


def as_browsers_write_it(text: str) -> str:
    """Return an origin in ASCII, without its scheme's own port; raises ValidationError."""
    try:
        parts = urlsplit(text.strip())
        port = parts.port
        host = (parts.hostname or "").encode("idna").decode()
    except ValueError:  # UnicodeError is one
        raise _invalid() from None
    more = parts.path not in ("", "/") or "@" in parts.netloc or any(sign in text for sign in "?#")
    if parts.scheme not in _DEFAULT_PORTS or more or port == 0 or not _HOST.fullmatch(host):
        raise _invalid()
    if parts.scheme == "http" and host not in _ON_THIS_MACHINE:
        raise ValidationError({"origin": _("Without https anybody on the way could change that page.")})
    return f"{parts.scheme}://{host}" + (f":{port}" if port and port != _DEFAULT_PORTS[parts.scheme] else "")


def _invalid() -> ValidationError:
    return ValidationError(
        {"origin": _("That is no address of a site: https://, a host name, and a port if it has one.")}
    )
