"""The centred vectors in the search index: put in as raw ones arrive, exchanged together when the space changes.

Whoever writes them holds the spaces' rows, so that no vector of an old space lands in a new one.
Nothing is embedded here.
"""

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from records import vector_index
from records.centring import Role, centring_of
from records.models import EmbeddingSpace, PassageEmbedding, SearchEntry

BATCH = 200


def bring_in(space: EmbeddingSpace, version_id: int) -> None:
    """Show search what is embedded by now.

    Where the space is active, the version's entries get their vectors. Another space becomes active when it
    is the first one, or when every entry has its raw vector: until then the old one goes on answering.
    """
    with transaction.atomic():
        known = list(EmbeddingSpace.objects.select_for_update().order_by("pk"))
        active = next((row for row in known if row.active), None)
        if active == space:
            fill(space, version_id)
        elif active is None or _complete(space):
            _switch(space)


def fill(space: EmbeddingSpace, version_id: int) -> None:
    """Give a version's entries their vectors in the active space, which the caller holds in its transaction."""
    _write(space, SearchEntry.objects.filter(placement__version_id=version_id, vector__isnull=True))


def _complete(space: EmbeddingSpace) -> bool:
    raw = PassageEmbedding.objects.filter(embedder=space.embedder, content_hash=OuterRef("content_hash"))
    return not SearchEntry.objects.filter(~Exists(raw)).exists()


def _switch(space: EmbeddingSpace) -> None:
    EmbeddingSpace.objects.filter(active=True).update(active=False)
    EmbeddingSpace.objects.filter(pk=space.pk).update(active=True)
    vector_index.drop()
    SearchEntry.objects.update(vector=None)
    _write(space, SearchEntry.objects.all())


def _write(space: EmbeddingSpace, entries: QuerySet[SearchEntry]) -> None:
    centring = centring_of(space)
    numbers = list(entries.order_by("pk").values_list("pk", flat=True))
    for begin in range(0, len(numbers), BATCH):
        batch = list(SearchEntry.objects.filter(pk__in=numbers[begin : begin + BATCH]))
        raw = dict(
            PassageEmbedding.objects.filter(
                embedder=space.embedder, content_hash__in=[entry.content_hash for entry in batch]
            ).values_list("content_hash", "vector")
        )
        embedded = [entry for entry in batch if entry.content_hash in raw]
        for entry in embedded:
            entry.vector = centring.centre(raw[entry.content_hash], entry.language, Role.PASSAGE)
        SearchEntry.objects.bulk_update(embedded, ["vector"])
