"""How many stored answers cite a version: asked of the package that keeps answers, which this one doesn't know."""

from collections.abc import Collection

from django.conf import settings
from django.utils.module_loading import import_string


def answers_citing(versions: Collection[int]) -> int:
    """Return how many stored answers cite one of the versions."""
    return int(import_string(settings.ANSWERS_CITING)(versions))
