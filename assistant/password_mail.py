"""The mail with the link to set a new password. It leads to SITE_URL, whatever host was asked for it."""

from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.forms import PasswordResetForm
from django.utils.translation import override


def send(address: str, language: str) -> None:
    """Mail the link to whoever has this address and may sign in; nobody else is told anything."""
    form = PasswordResetForm({"email": address})
    if form.is_valid():
        site = urlsplit(settings.TRAVA.SITE_URL)
        with override(language):
            form.save(domain_override=site.netloc, use_https=site.scheme == "https")
