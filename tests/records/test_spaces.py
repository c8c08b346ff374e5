"""A space is what it is made from: the same parts give the same space, others another one."""

import pytest

from metering.embedders import embedder
from metering.models import Reservation
from records import spaces
from records.models import LanguageMean


@pytest.fixture
def background(tmp_path, monkeypatch):
    """A background of our own, of which nothing ships."""
    monkeypatch.setattr(spaces, "BACKGROUND", tmp_path)
    monkeypatch.setattr(spaces, "SHIPPED", tmp_path / "vectors.txt")

    def write(**sentences):
        for language, pair in sentences.items():
            (tmp_path / f"{language}.txt").write_text("\n\n".join(pair) + "\n", "utf-8")
        spaces.background.cache_clear()

    yield write
    spaces.background.cache_clear()


def test_another_sentence_or_embedder_makes_another_space(background):
    background(en=["Rain?", "Rain."])
    first = spaces.fingerprint("e-1")
    assert first == spaces.fingerprint("e-1") != spaces.fingerprint("e-2")
    background(en=["Rain?", "Snow."])
    assert spaces.fingerprint("e-1") != first


@pytest.mark.django_db
def test_shipped_vectors_make_the_means_without_a_call():
    space = spaces.prepare(embedder())
    assert not Reservation.objects.exists()
    assert space.means.count() == 2 * len(spaces.background())
    assert not space.active


@pytest.mark.django_db
def test_a_space_is_made_once():
    assert spaces.prepare(embedder()) == spaces.prepare(embedder())
    assert LanguageMean.objects.count() == 2 * len(spaces.background())


@pytest.mark.django_db
def test_what_did_not_ship_is_embedded_in_its_role_and_metered(background):
    background(en=["Rain?", "Rain.\nSnow."], de=["Brot?", "Brot."])
    space = spaces.prepare(embedder())
    assert set(space.means.values_list("language", "role")) == {
        (language, role) for language in ("en", "de") for role in ("query", "passage")
    }
    assert Reservation.objects.filter(subject="background", state="settled").count() == 4
    german = space.means.get(language="de", role="query").vector
    assert german == pytest.approx(embedder().query("Brot?").result(60), abs=1e-6)
