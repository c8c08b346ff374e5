"""What the pages around the chat share: the language in their address."""

from django.http import Http404

from assistant.asking import LANGUAGES


def known(language: str) -> str:
    """Return a language of the site as it is; any other is an address that does not exist."""
    if language not in LANGUAGES:
        raise Http404
    return language
