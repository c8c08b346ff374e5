"""The same text is embedded once, ever; search sees vectors of one space alone; keywords need none of it."""

import pytest

from metering.embedders import embedder
from metering.errors import EmbeddingUnavailable
from metering.models import Charge
from records import embedding, spaces, vectors
from records.embedding import embed_version, query_vector
from records.models import EmbeddingSpace, PassageEmbedding, SearchEntry
from tests.records.vector_space import dot, embedder_name, published

pytestmark = pytest.mark.django_db

BREAD = "Knead flour, water and yeast for ten minutes."
MOON = "The moon has neither air nor sound."


def embed(version):
    batches = []
    embed_version(version.pk, lambda: batches.append(1))
    return len(batches)


def entry_of(version):
    return SearchEntry.objects.get(placement__version=version)


@pytest.fixture
def without_embedder(settings):
    settings.TRAVA = settings.TRAVA.model_copy(update={"EMBEDDER": "none"})


class TestEmbedVersion:
    def test_search_gets_a_centred_vector_of_length_one(self):
        version = published("bread", BREAD)
        assert embed(version) == 1
        vector = entry_of(version).vector
        assert dot(vector, vector) == pytest.approx(1)
        assert PassageEmbedding.objects.get().vector != pytest.approx(vector, abs=0.01)

    def test_unchanged_text_embeds_nothing(self):
        embed(published("bread", BREAD))
        charged = Charge.objects.count()
        assert embed(published("bread", f"# Another heading\n\n{BREAD}")) == 0
        assert embed(published("same-text", BREAD)) == 0
        assert Charge.objects.count() == charged
        assert not SearchEntry.objects.filter(vector=None).exists()

    def test_only_what_is_new_is_embedded(self):
        embed(published("bread", f"# One\n\n{BREAD}"))
        embed(published("bread", f"# One\n\n{BREAD}\n\n# Two\n\n{MOON}"))
        assert PassageEmbedding.objects.count() == 2
        assert Charge.objects.count() == 2

    def test_a_version_that_is_no_longer_live_embeds_nothing(self):
        old = published("bread", BREAD)
        published("bread", MOON)
        assert embed(old) == 0
        assert not PassageEmbedding.objects.exists()

    def test_shipped_vectors_are_taken_where_the_text_is_the_same(self, tmp_path, monkeypatch):
        version = published("bread", BREAD)
        raw = embedder().passages([f"Bread\n{BREAD}"]).result(60)[0]
        monkeypatch.setattr(embedding, "DEMO", tmp_path / "vectors.txt")
        vectors.write(embedding.DEMO, embedder_name(), {entry_of(version).content_hash: raw})
        assert embed(version) == 0
        assert entry_of(version).vector is not None
        assert not Charge.objects.exists()

    def test_without_an_embedder_nothing_happens(self, without_embedder):
        version = published("bread", BREAD)
        assert embed(version) == 0
        assert entry_of(version).vector is None
        assert not EmbeddingSpace.objects.exists()


class TestSwitchingSpaces:
    @pytest.fixture
    def old(self):
        return EmbeddingSpace.objects.create(fingerprint="old", embedder="old-1", dimensions=3, active=True)

    def test_the_old_space_answers_until_the_new_one_is_complete(self, old):
        bread, moon = published("bread", BREAD), published("moon", MOON)
        SearchEntry.objects.update(vector=[1.0, 0.0, 0.0])
        embed(bread)
        assert spaces.active() == old
        assert entry_of(bread).vector == [1.0, 0.0, 0.0]
        embed(moon)
        assert spaces.active().embedder == embedder_name()
        assert {len(entry.vector) for entry in SearchEntry.objects.all()} == {embedder().dimensions}

    def test_no_question_is_embedded_for_another_embedders_vectors(self, old):
        assert query_vector("How do I bake?", "en", "turn") is None


class TestQueryVector:
    def test_the_answering_passage_is_nearest(self):
        bread, moon = published("bread", BREAD), published("moon", MOON, title="Moon")
        embed(bread)
        embed(moon)
        question = query_vector("How long do I knead the dough?", "en", "turn")
        assert dot(question, question) == pytest.approx(1)
        assert dot(question, entry_of(bread).vector) > dot(question, entry_of(moon).vector) + 0.2

    def test_without_space_or_embedder_there_is_none(self, without_embedder):
        assert query_vector("How do I bake?", "en", "turn") is None

    def test_before_anything_is_embedded_there_is_none(self):
        assert query_vector("How do I bake?", "en", "turn") is None
        assert not Charge.objects.exists()

    def test_a_ledger_that_fails_leaves_the_search_to_keywords(self):
        embed(published("bread", BREAD))
        from django.db import connections

        with connections["default"].cursor() as cursor:
            cursor.execute("ALTER TABLE metering_reservation RENAME TO gone")
        with pytest.raises(EmbeddingUnavailable):
            query_vector("How do I bake?", "en", "turn")
