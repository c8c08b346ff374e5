"""`POST /api/ask`: the contract's events as server-sent events, and its status codes."""

import asyncio
import json

import pytest
from django.test import AsyncClient

from assistant.models import Turn
from assistant.places import places
from tests.assistant.scripted import WHOLE

on_a_site = pytest.mark.usefixtures("small_site", "fresh_limits")

QUESTION = "How many days did the battery of the tide gauge at Holm Quay last?"


OWN = {"origin": "http://testserver"}


async def post(client: AsyncClient, headers=OWN, **fields):
    body = json.dumps({"lang": "en", **fields})
    return await client.post("/api/ask", body, content_type="application/json", headers=headers)


async def events(response) -> list[dict]:
    assert response.status_code == 200
    assert response["Content-Type"].startswith("text/event-stream")
    text = b"".join([part async for part in response.streaming_content]).decode()
    read = []
    for frame in text.removesuffix("\n\n").split("\n\n"):
        name, data = frame.split("\n")
        read.append(json.loads(data.removeprefix("data: ")))
        assert name == f"event: {read[-1]['event']}"
    return read


@on_a_site
async def test_an_answer_is_a_stream_of_the_contracts_events(browser_client):
    received = await events(await post(browser_client, question=QUESTION))
    assert [event["event"] for event in received][-1] == "done"
    sentence = received[0]
    assert sentence["event"] == "sentence"
    assert set(sentence) == {"id", "event", "text", "lang", "sources"}
    assert set(sentence["sources"][0]) == {"record", "kind", "title", "version", "passage", "start", "end", "url"}
    assert len({event["id"] for event in received}) == 1


@on_a_site
async def test_a_refusal_has_a_reason_and_a_text(browser_client):
    refusal, done = await events(await post(browser_client, question="How much do you charge?"))
    assert (refusal["event"], refusal["reason"]) == ("refusal", "commercial")
    assert refusal["text"]
    assert done["route"] == "refusal"


@on_a_site
async def test_the_conversation_of_done_is_continued(browser_client):
    first = await events(await post(browser_client, question=QUESTION))
    await events(await post(browser_client, question="And who repaired it?", conversation=first[-1]["conversation"]))
    assert [turn.ordinal async for turn in Turn.objects.order_by("ordinal")] == [1, 2]


@on_a_site
async def test_a_client_cannot_bring_its_own_history(browser_client):
    before = [{"question": QUESTION, "answer": "Its battery lasted 412 days."}]
    alone = await events(await post(browser_client, question="And who repaired it?"))
    brought = await events(await post(browser_client, question="And who repaired it?", previous=before))
    assert brought[-1]["best"] == alone[-1]["best"]


@pytest.mark.parametrize("origin", ["", "null", "https://other.example"])
async def test_a_foreign_page_cannot_ask(browser_client, origin):
    response = await post(browser_client, {"origin": origin} if origin else {}, question=QUESTION)
    assert response.status_code == 403


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
async def test_only_json_is_read(browser_client, content_type):
    body = json.dumps({"question": QUESTION, "lang": "en"})
    response = await browser_client.post("/api/ask", body.encode(), content_type=content_type, headers=OWN)
    assert response.status_code == 400


@pytest.mark.parametrize("body", ["", "{", "[]", "null", '"x"', "\xff", "[" * 20_000, "x" * 3_000_000])
async def test_what_is_no_object_is_told_so(browser_client, body):
    response = await browser_client.post(
        "/api/ask", body.encode("latin-1"), content_type="application/json", headers=OWN
    )
    assert response.status_code == 400
    assert response.json()["reason"] == "invalid"


async def test_get_is_no_way_to_ask(browser_client):
    assert (await browser_client.get("/api/ask")).status_code == 405


@on_a_site
async def test_over_a_limit_the_client_is_told_when_to_come_back(browser_client, settings):
    settings.TRAVA = settings.TRAVA.model_copy(update={"RATE_LIMITS": "1/minute"})
    await events(await post(browser_client, question=QUESTION))
    response = await post(browser_client, question=QUESTION)
    assert response.status_code == 429
    assert 1 <= int(response["Retry-After"]) <= 60
    assert response.json()["reason"] == "rate_limited"


async def test_a_full_process_tells_when_to_come_back(browser_client, settings):
    settings.TRAVA = settings.TRAVA.model_copy(update={"MAX_STREAMS": 1})
    with places.enter():
        response = await post(browser_client, question=QUESTION)
    assert response.status_code == 429
    assert response.json()["reason"] == "busy"
    assert int(response["Retry-After"]) > 0


@on_a_site
async def test_a_client_that_goes_away_closes_the_turn(browser_client, worded_by):
    script = worded_by("Its battery lasted 412 days [1]. T", 30.0, WHOLE)
    response = await post(browser_client, question=QUESTION)
    heard = asyncio.Event()

    async def read() -> None:
        async for part in response:
            if b"412 days" in part:
                heard.set()

    reader = asyncio.create_task(read())
    await heard.wait()
    reader.cancel()  # what Django does to a response whose client disconnected
    await asyncio.wait({reader})
    assert script.closed
    assert (await Turn.objects.aget()).notice == "stopped"
    assert not len(places)


@on_a_site
@pytest.mark.parametrize(("proxies", "seen"), [(0, ""), (1, ", 203.0.113.9")])
async def test_a_forged_address_changes_nothing(browser_client, settings, monkeypatch, proxies, seen):
    monkeypatch.setattr("assistant.limits.PATIENCE", 30.0)  # however busy the machine is
    settings.TRAVA = settings.TRAVA.model_copy(update={"RATE_LIMITS": "1/minute", "TRUSTED_PROXIES": proxies})
    forged = [{**OWN, "x-forwarded-for": f"198.51.100.{number}{seen}"} for number in range(3)]
    answers = [await post(browser_client, headers, question="How much do you charge?") for headers in forged]
    assert [answer.status_code for answer in answers] == [200, 429, 429]
