"""Vectors that ship: read back as they were, and never taken for another embedder's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metering.embedders import embedder
from records import demo, embedding, spaces, vectors
from records.centring import Role
from records.context import embedded_text
from records.models import SearchEntry
from tests.records.vector_space import dot, embedder_name

components = st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=8)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return tmp_path_factory.mktemp("vectors") / "vectors.txt"


@given(st.dictionaries(st.text("0123456789abcdef", min_size=1), components, max_size=5))
def test_what_is_written_is_read_back_in_half_precision(file, made):
    vectors.write(file, "e-1", made)
    back = vectors.read(file, "e-1")
    assert back.keys() == made.keys()
    for key, vector in made.items():
        assert back[key] == pytest.approx(vector, rel=2**-10, abs=2**-14)


def test_another_embedders_vectors_are_not_taken(file):
    vectors.write(file, "e-1", {"ab": [1.0]})
    assert vectors.read(file, "e-2") == {}


def test_a_missing_file_has_no_vectors(tmp_path):
    assert vectors.read(tmp_path / "none.txt", "e-1") == {}


class TestShipped:
    """What stands in the files is what the bundled embedder makes of today's texts."""

    def test_every_background_sentence_has_its_vector_and_nothing_else_ships(self):
        shipped = vectors.read(spaces.SHIPPED, embedder_name())
        assert shipped.keys() == {
            spaces.key(role, text)
            for roles in spaces.background().values()
            for role, texts in roles.items()
            for text in texts
        }

    def test_a_sample_of_the_background_is_made_anew_alike(self):
        shipped, made = vectors.read(spaces.SHIPPED, embedder_name()), embedder()
        for roles in spaces.background().values():
            for question in roles[Role.QUERY][::15]:
                assert dot(shipped[spaces.key(Role.QUERY, question)], made.query(question).result(60)) > 0.9999
            for text in roles[Role.PASSAGE][::15]:
                assert dot(shipped[spaces.key(Role.PASSAGE, text)], made.passages([text]).result(60)[0]) > 0.9999

    @pytest.mark.django_db
    def test_the_demos_texts_have_their_vectors_and_nothing_else_ships(self):
        demo.load()
        shipped = vectors.read(embedding.DEMO, embedder_name())
        entries = SearchEntry.objects.select_related("placement__version", "placement__passage").order_by("pk")
        assert shipped.keys() == {entry.content_hash for entry in entries}, "run `manage.py ship_vectors`"
        sample = entries[0]
        text = embedded_text(sample.placement.version.title, sample.placement.passage.text)
        assert dot(shipped[sample.content_hash], embedder().passages([text]).result(60)[0]) > 0.9999
