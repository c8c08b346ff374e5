"""API keys: shown once, stored as a digest, good for the public's answers within the limits, and revoked for ever."""

import json
import logging
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, User
from django.contrib.sessions.models import Session
from django.core import serializers
from django.test import AsyncClient
from django.urls import reverse
from django.utils import timezone

from assistant import api_keys
from assistant.models import ApiKey, Conversation
from records.models import Record
from records.publishing import publish
from tests.assistant.test_api import QUESTION, events, on_a_site

pytestmark = pytest.mark.django_db(transaction=True)

ADD, LIST = reverse("admin:assistant_apikey_add"), reverse("admin:assistant_apikey_changelist")


@pytest.fixture
def key() -> str:
    return minted("a news reader")


@pytest.fixture
def another_key() -> str:
    return minted("another program")


def minted(name: str) -> str:
    row = ApiKey(name=name)
    key = api_keys.mint(row)
    row.save()
    return key


async def ask(client: AsyncClient, authorization: str | None, address: str = "192.0.2.9", **fields):
    headers = {"x-forwarded-for": address}  # heard where a test trusts one proxy
    if authorization is not None:
        headers["authorization"] = authorization
    body = json.dumps({"question": QUESTION, "lang": "en", **fields})
    return await client.post("/api/ask", body, content_type="application/json", headers=headers)


@on_a_site
async def test_a_key_asks_without_an_origin_and_the_day_is_noted(browser_client, key):
    *_, done = await events(await ask(browser_client, f"Bearer {key}"))
    assert done["event"] == "done"
    row = await ApiKey.objects.aget()
    assert row.last_used_on == timezone.localdate()


@on_a_site
async def test_a_key_used_again_on_its_day_writes_nothing(key, django_assert_num_queries):
    row = await ApiKey.objects.aget()
    await ApiKey.objects.filter(pk=row.pk).aupdate(last_used_on=timezone.localdate() - timedelta(days=1))

    def twice() -> None:
        with django_assert_num_queries(2):
            assert api_keys.recognise(key)
        with django_assert_num_queries(1):
            assert api_keys.recognise(key)

    await sync_to_async(twice)()


@pytest.mark.parametrize("wrong", ["Bearer", "Bearer ", "Bearer x", "bearer trava_" + "A" * 43, "Bearer \xff"])
async def test_a_wrong_key_is_told_so(browser_client, key, wrong):
    response = await ask(browser_client, wrong)
    assert response.status_code == 401
    assert response["WWW-Authenticate"] == "Bearer"
    assert "key" in response.json()["error"]


async def test_a_wrong_key_is_not_forgiven_for_the_sites_own_origin(browser_client):
    body = json.dumps({"question": QUESTION, "lang": "en"})
    headers = {"authorization": "Bearer x", "origin": "http://testserver"}
    response = await browser_client.post("/api/ask", body, content_type="application/json", headers=headers)
    assert response.status_code == 401


async def test_a_revoked_key_is_a_wrong_one(browser_client, key):
    await ApiKey.objects.aupdate(revoked_at=timezone.now())
    assert (await ask(browser_client, f"Bearer {key}")).status_code == 401
    assert (await ApiKey.objects.aget()).last_used_on is None


@pytest.mark.parametrize("scheme", [None, "Basic bGl2aWE6eA==", "Digest x"])
async def test_another_scheme_presents_no_key(browser_client, scheme):
    assert (await ask(browser_client, scheme)).status_code == 403


@on_a_site
async def test_a_key_has_limits_of_its_own_beside_those_of_the_address(browser_client, key, another_key, settings):
    settings.TRAVA = settings.TRAVA.model_copy(update={"RATE_LIMITS": "2/minute", "TRUSTED_PROXIES": 1})
    answered = []
    for used, address in [(key, 1), (key, 2), (key, 3), (another_key, 1), (another_key, 1)]:
        response = await ask(browser_client, f"Bearer {used}", address=f"192.0.2.{address}")
        answered.append(response.status_code)
    assert answered == [200, 200, 429, 200, 429]


@on_a_site
async def test_a_conversation_belongs_to_its_key(browser_client, key, another_key):
    *_, done = await events(await ask(browser_client, f"Bearer {key}"))
    again = {"question": "And who repaired it?", "conversation": done["conversation"]}
    assert (await ask(browser_client, f"Bearer {another_key}", **again)).status_code == 400
    assert (await ask(browser_client, f"Bearer {key}", **again)).status_code == 200
    assert await Conversation.objects.acount() == 1


@on_a_site
async def test_a_key_sees_what_the_public_sees_whoever_is_signed_in(browser_client, key):
    owner = await User.objects.acreate(username="livia", is_staff=True, is_superuser=True)
    await browser_client.aforce_login(owner)
    record = await Record.objects.aget()
    record.access = "restricted"
    record.group = await Group.objects.acreate(name="press")
    await record.asave()
    await sync_to_async(publish)(record)
    refusal, _done = await events(await ask(browser_client, f"Bearer {key}"))
    assert refusal["reason"] == "no_evidence"


@pytest.fixture
def owner(client) -> User:
    user = User.objects.create_superuser("livia", password="a long pass phrase")
    client.force_login(user)
    return user


def shown_in(response) -> str:
    page = response.content.decode()
    return page.partition('<code id="key" dir="ltr">')[2].partition("<")[0]


def test_the_admin_shows_a_new_key_once_and_keeps_its_digest_alone(client, owner, caplog):
    with caplog.at_level(logging.DEBUG):
        response = client.post(ADD, {"name": "a news reader"})
    key = shown_in(response)
    assert response.status_code == 200
    assert "no-store" in response["Cache-Control"]
    row = api_keys.recognise(key)
    assert row is not None
    assert key.startswith(row.hint)
    stored = serializers.serialize("json", [*ApiKey.objects.all(), *LogEntry.objects.all(), *Session.objects.all()])
    pages = [client.get(LIST), client.get(reverse("admin:assistant_apikey_change", args=[row.pk]))]
    assert not any(key in text for text in (stored, caplog.text, *(page.content.decode() for page in pages)))
    assert "a news reader" in pages[0].content.decode()


def test_the_admin_revokes_for_ever_and_deletes_nothing(client, owner, key):
    row = ApiKey.objects.get()
    for action in ("revoke_selected", "delete_selected"):
        client.post(LIST, {"action": action, "_selected_action": [row.pk]}, follow=True)
    assert ApiKey.objects.get().revoked_at
    page = client.get(reverse("admin:assistant_apikey_change", args=[row.pk])).content.decode()
    assert 'name="revoked_at' not in page


def test_a_key_cannot_be_guessed_from_another():
    keys = {minted(str(number)) for number in range(50)}
    assert len({key[10:] for key in keys}) == 50
    assert all(len(key) >= 40 for key in keys)
