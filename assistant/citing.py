"""Which stored answers rest on a version: what its owner wants to know before taking it back."""

from collections.abc import Collection

from assistant.models import Turn


def answers_citing(versions: Collection[int]) -> int:
    """Return how many stored answers cite one of the versions."""
    return Turn.objects.filter(sentences__citations__version__in=versions).distinct().count()
