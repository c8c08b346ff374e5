"""`manage.py ship_vectors`: write the vectors that come with the product. For its developers."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from metering.embedders import embedder
from records import embedding, ingestion, spaces, vectors
from records.models import PassageEmbedding, SearchEntry


class Command(BaseCommand):
    """Run it on a database that holds the demo and nothing else, after `ingest`."""

    help = "Write the raw vectors of the background sentences and of everything live (the demo) beside their texts."

    def handle(self, *args: Any, **options: Any) -> None:
        used = embedder()
        if used is None:
            raise CommandError("EMBEDDER is none: there is nothing to write")
        background = spaces.background_vectors(used.name)
        vectors.write(spaces.SHIPPED, used.name, background)
        ingestion.work(3600)
        live = SearchEntry.objects.values("content_hash")
        rows = PassageEmbedding.objects.filter(embedder=used.name, content_hash__in=live)
        demo = dict(rows.values_list("content_hash", "vector"))
        vectors.write(embedding.DEMO, used.name, demo)
        self.stdout.write(f"{len(background)} background vectors, {len(demo)} demo vectors by {used.name}")
