"""What every embedder promises; each implementation runs this class."""

import math
from concurrent.futures import Future

import pytest

from metering.embedders import Embedder, Vector


def cosine(one: Vector, other: Vector) -> float:
    product = sum(a * b for a, b in zip(one, other, strict=True))
    return product / (math.hypot(*one) * math.hypot(*other))


class EmbedderContract:
    """Subclass it with a fixture `embedder`."""

    @pytest.fixture
    def embedder(self) -> Embedder:
        raise NotImplementedError

    def test_its_name_says_model_and_version(self, embedder):
        assert any(letter.isdigit() for letter in embedder.name)
        assert 0 < len(embedder.name) <= 100

    def test_a_call_returns_a_future_at_once(self, embedder):
        called = embedder.query("late")
        assert isinstance(called, Future)
        called.result(60)  # what is still under way at a test's end leaves a connection half open

    def test_vectors_have_its_dimensions_and_are_finite(self, embedder):
        for text in ("rain", "", "۱۲ باران", "雨"):
            vector = embedder.query(text).result(60)
            assert len(vector) == embedder.dimensions
            assert all(math.isfinite(value) for value in vector)

    def test_as_many_vectors_as_passages_in_their_order(self, embedder):
        together = embedder.passages(["snow", "bread"]).result(60)
        alone = [embedder.passages([text]).result(60)[0] for text in ("snow", "bread")]
        assert [cosine(one, other) > 0.9999 for one, other in zip(together, alone, strict=True)] == [True, True]
        assert embedder.passages([]).result(60) == []

    def test_the_same_question_has_the_same_vector(self, embedder):
        assert embedder.query("wind").result(60) == embedder.query("wind").result(60)

    def test_a_question_is_nearest_to_the_passage_that_answers_it(self, embedder):
        question = embedder.query("How do I bake bread?").result(60)
        bread, moon = embedder.passages(["Knead flour, water and yeast, then bake it.", "The moon has no air."]).result(
            60
        )
        assert cosine(question, bread) > cosine(question, moon)

    def test_nul_and_lone_surrogates_neither_cut_nor_break_a_text(self, embedder):
        clean, dirty, cut = (embedder.query(text).result(60) for text in ("sea salt", "sea\0salt\ud800", "sea"))
        assert cosine(clean, dirty) > 0.99
        assert cosine(dirty, cut) < 0.99

    def test_the_beginning_of_a_text_without_end_is_read(self, embedder):
        begun, endless = (embedder.query("The old mill. " * times).result(60) for times in (40, 4000))
        assert cosine(begun, endless) > 0.99
