"""What this package asks of the one that keeps answers, and tells it, without knowing it."""

from collections.abc import Collection

from django.conf import settings
from django.http import HttpRequest
from django.utils.module_loading import import_string


def answers_citing(versions: Collection[int]) -> int:
    """Return how many stored answers cite one of the versions."""
    return int(import_string(settings.ANSWERS_CITING)(versions))


def cited_version_opened(request: HttpRequest, language: str) -> None:
    """Tell that a version was opened as answers cite it: a passage, or a record as it was published."""
    import_string(settings.CITATION_OPENED)(request, language)
