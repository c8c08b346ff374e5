"""Every embedding is reserved and settled, the free ones too, and asks the ledger before the model."""

import pytest

from metering.embedders import embedder
from metering.embedding import embed_passages, embed_query
from metering.errors import EmbeddingUnavailable, LedgerUnavailable
from metering.models import Charge, Reservation


@pytest.mark.django_db
def test_a_question_leaves_a_settled_reservation_and_a_charge():
    vector = embed_query("نان", "turn-1")
    assert len(vector) == 384
    reservation = Reservation.objects.get()
    assert (reservation.purpose, reservation.subject, reservation.state) == ("embedding", "turn-1", "settled")
    charge = Charge.objects.get()
    assert (charge.model, charge.input_tokens, charge.reported) == (embedder().name, 6, False)
    assert charge.micro_usd == 0


@pytest.mark.django_db
def test_passages_are_one_call():
    assert len(embed_passages(["salt", "bread"], "version 1")) == 2
    assert Charge.objects.get().input_tokens == 9


@pytest.mark.django_db
def test_no_passages_are_no_call():
    assert embed_passages([], "version 1") == []
    assert not Reservation.objects.exists()


@pytest.mark.django_db
def test_without_an_embedder_nothing_is_reserved(settings):
    settings.TRAVA = settings.TRAVA.model_copy(update={"EMBEDDER": "none"})
    with pytest.raises(EmbeddingUnavailable):
        embed_query("salt", "turn-1")
    assert not Reservation.objects.exists()


@pytest.mark.django_db
def test_without_the_ledger_nothing_is_embedded(execute):
    execute("ALTER TABLE metering_reservation RENAME TO gone")
    with pytest.raises(LedgerUnavailable):
        embed_query("salt", "turn-1")
