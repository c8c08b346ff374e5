"""Which stored sentences a reader may see today: those without a source that is revoked or closed to this reader."""

from collections.abc import Sequence

from django.db.models import QuerySet

from assistant.models import Citation, Sentence
from records.access import Viewer
from records.standing import openable


def citations() -> QuerySet[Citation]:
    """Return what sentences cite with the versions and records, but without these versions' text."""
    return Citation.objects.select_related("version__record").defer("version__body", "version__text")


def unreadable(sentences: Sequence[Sentence], viewer: Viewer) -> set[int]:
    """Return the keys of those that may not be shown; their citations and versions should be fetched already."""
    versions = {sentence.pk: [citation.version for citation in sentence.citations.all()] for sentence in sentences}
    cited = {version.pk for several in versions.values() for version in several if version.revoked_at is None}
    open_ = openable(cited, viewer) if cited else set()
    return {key for key, several in versions.items() if any(version.pk not in open_ for version in several)}
