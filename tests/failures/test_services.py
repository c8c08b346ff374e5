"""The services around the site go away: readers get answers all the same, and a metric says what is missing."""

import socket

import pytest
from pydantic import SecretStr

import metering.embedders
from assistant.asking import admit, ask
from assistant.database import in_database
from assistant.events import Released
from assistant.metrics import RATE_LIMITER_UNREACHABLE
from assistant.models import Turn
from assistant.question import Question
from assistant.turn import answer
from assistant.visitors import Visitor
from metering.embedders.openai import OpenAIEmbedder
from metering.models import ModelPrice, Reservation
from records.access import PUBLIC
from records.embedding import embed_version
from records.models import RecordVersion
from tests.model_server import ModelServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_site", "fresh_limits")]

QUESTION = "How many days did the battery of the tide gauge at Holm Quay last?"


def released(events: list) -> str:
    return " ".join(event.text for event in events if isinstance(event, Released))


async def test_without_redis_answers_go_on_and_a_metric_says_so(settings):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        nobody = f"redis://127.0.0.1:{probe.getsockname()[1]}/0"
    settings.TRAVA = settings.TRAVA.model_copy(update={"REDIS_URL": SecretStr(nobody), "RATE_LIMITS": "1/minute"})
    before = RATE_LIMITER_UNREACHABLE._value.get()
    for _ in range(2):
        visitor = Visitor(viewer=PUBLIC, session="s", buckets=("192.0.2.1",))
        question = await admit({"question": QUESTION, "lang": "en"}, visitor, "socket")
        assert "412 days" in released([event async for event in ask(question)])
    assert RATE_LIMITER_UNREACHABLE._value.get() == before + 2


async def test_without_the_embedder_keywords_answer(settings, monkeypatch):
    monkeypatch.setattr("tests.model_server.DIMENSIONS", 384)
    await ModelPrice.objects.acreate(
        model="openai:m/384", valid_from="2020-01-01", input_micro_usd_per_mtok=10**6, output_micro_usd_per_mtok=0
    )
    with ModelServer() as server:
        outside = OpenAIEmbedder("openai:m/384", server.url, "m", "key", 384)
        monkeypatch.setitem(metering.embedders._made, "openai", outside)
        settings.TRAVA = settings.TRAVA.model_copy(update={"EMBEDDER": "openai"})
        for version in [version async for version in RecordVersion.objects.all()]:
            await in_database(embed_version, version.pk, lambda: None)
        before = [event async for event in answer(Question(QUESTION, "en"))]
        assert before[-1].embedded
    after = [event async for event in answer(Question(QUESTION, "en"))]
    outside.close()
    assert not after[-1].embedded
    assert released(after) == released(before)
    assert "412 days" in released(after)
    assert not await Turn.objects.exclude(notice="").aexists()
    assert not await Reservation.objects.filter(state="held").aexists()
