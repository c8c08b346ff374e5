"""The index of the nearest vectors, for what everybody may read: made when the corpus outgrows an exact search.

Below, an exact search is as quick and misses nothing; for signed-in readers it is exact at any size, since an index
that filters afterwards returns too few rows. HNSW in half precision, partial: measured in docs/measured.md.
"""

from django.contrib.postgres.indexes import OpClass
from django.db import connection, transaction  # noqa: TID251  # an index is made by the schema editor, not by SQL
from django.db.models import Q
from django.db.models.functions import Cast
from pgvector.django import HalfVectorField, HnswIndex

from records.models import Access, EmbeddingSpace, SearchEntry

EXACT_UP_TO = 5_000  # entries
NAME = "entry_nearest_public"


def keep() -> None:
    """Make the index where the corpus wants it and it is missing: some minutes' work once, at 100,000 passages."""
    with transaction.atomic():
        space = EmbeddingSpace.objects.select_for_update().filter(active=True).first()
        if space and SearchEntry.objects.filter(vector__isnull=False).count() > EXACT_UP_TO and not _is_there():
            with connection.schema_editor() as editor:
                editor.add_index(SearchEntry, _index(space.dimensions))


def drop() -> None:
    """Let go of the index before all vectors are exchanged: `keep` makes it anew, sooner than each could be moved."""
    if _is_there():
        with connection.schema_editor() as editor:
            editor.remove_index(SearchEntry, _index(1))


def _is_there() -> bool:
    with connection.cursor() as cursor:
        return NAME in connection.introspection.get_constraints(cursor, SearchEntry._meta.db_table)  # noqa: SLF001  # documented by Django


def _index(dimensions: int) -> HnswIndex:
    near = OpClass(Cast("vector", HalfVectorField(dimensions=dimensions)), name="halfvec_cosine_ops")
    return HnswIndex(near, name=NAME, condition=Q(access=Access.PUBLIC, vector__isnull=False))
